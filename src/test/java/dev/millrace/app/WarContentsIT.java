package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The WAR brings what no container has, and nothing that a container has. */
@Timeout(60)
class WarContentsIT {
  private static final Path WAR = Path.of("target", "millrace.war");
  private static final String LIB = "WEB-INF/lib/";

  @TempDir private Path directory;

  @Test
  void bringsTheseLibrariesAndNoOthers() throws IOException {
    try (ZipFile war = new ZipFile(WAR.toFile())) {
      assertThat(libraries(war).map(name -> name.replaceFirst("-[0-9.]+\\.jar$", "")))
          .containsExactlyInAnyOrder(
              "jackson-annotations",
              "jackson-core",
              "jackson-databind",
              "jackson-dataformat-toml",
              "jetty-alpn-client",
              "jetty-alpn-java-client",
              "jetty-client",
              "jetty-compression-common",
              "jetty-compression-gzip",
              "jetty-ee11-proxy",
              "jetty-http",
              "jetty-http2-client",
              "jetty-http2-client-transport",
              "jetty-http2-common",
              "jetty-http2-hpack",
              "jetty-io",
              "jetty-util",
              "metrics-core",
              "metrics-jmx",
              "slf4j-api",
              "slf4j-jdk14");
    }
  }

  @Test
  void namesNothingButItsListener() throws IOException {
    try (ZipFile war = new ZipFile(WAR.toFile())) {
      String xml = text(war, "WEB-INF/web.xml");
      assertThat(xml.replaceAll("(?s)<\\?.*?\\?>|</?(web-app|listener)(\\s[^>]*)?>", "").strip())
          .isEqualTo("<listener-class>dev.millrace.app.WebappInitializer</listener-class>");
    }
  }

  @Test
  void needsNothingButItsLibrariesAndTheServletApi() throws IOException {
    StringWriter output = new StringWriter();
    PrintWriter printer = new PrintWriter(output);
    List<String> arguments = List.of("--multi-release", "17", "--missing-deps", "-cp");
    String[] all =
        Stream.of(arguments, List.of(classPath()), List.of(unpacked("WEB-INF/classes/")))
            .flatMap(List::stream)
            .toArray(String[]::new);
    ToolProvider.findFirst("jdeps").orElseThrow().run(printer, printer, all);
    assertThat(output.toString().lines().filter(line -> !line.contains("org.jspecify.")))
        .filteredOn(
            line -> line.contains("not found") && line.contains("->") && line.startsWith(" "))
        .isEmpty();
  }

  private String classPath() throws IOException {
    return Stream.concat(
            jars(unpacked(LIB)), jars("target/millrace/lib").filter(WarContentsIT::isApi))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<String> jars(String directory) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(directory))) {
      return files.map(Path::toString).toList().stream();
    }
  }

  private static boolean isApi(String jar) {
    return jar.contains("jakarta.servlet-api");
  }

  private String unpacked(String prefix) throws IOException {
    try (ZipFile war = new ZipFile(WAR.toFile())) {
      for (var entry : war.stream().filter(e -> e.getName().startsWith(prefix)).toList()) {
        Path file = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.write(file, war.getInputStream(entry).readAllBytes());
        }
      }
    }
    return directory.resolve(prefix).toString();
  }

  private static Stream<String> libraries(ZipFile war) {
    return war.stream()
        .map(entry -> entry.getName())
        .filter(name -> name.startsWith(LIB) && name.endsWith(".jar"))
        .map(name -> name.substring(LIB.length()));
  }

  private static String text(ZipFile war, String name) throws IOException {
    return new String(
        war.getInputStream(war.getEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
  }
}
