package dev.millrace.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the build has made, as a process of its own, in a container that it can be put into. Its
 * output is kept in {@code target/deployments}.
 */
public final class Deployment implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration STOP = Duration.ofSeconds(30);
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path CONTAINERS = TARGET.resolve("containers");
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final List<String> JVM =
      List.of("-Xmx96m", "-XX:MaxDirectMemorySize=320m", "-Xss512k", "-XX:+UseSerialGC");

  private final Process process;
  private final Path log;
  private final String contextPath;
  private final int port;

  private Deployment(Plan plan) throws IOException {
    Path directory = Files.createDirectories(TARGET.resolve("deployments"));
    this.log = Files.createTempFile(directory, plan.name + "-", ".log");
    this.contextPath = plan.contextPath;
    ProcessBuilder builder = new ProcessBuilder(plan.command);
    builder.directory(plan.directory.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("XDG_STATE_HOME", directory.toString());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    this.process = builder.start();
    this.port = awaitPort(plan.listens);
  }

  private int awaitPort(Pattern listens) {
    Await.until(
        "listening, or an end: " + log,
        START,
        () -> !process.isAlive() || listens.matcher(output()).find());
    Matcher line = listens.matcher(output());
    return line.find() ? Integer.parseInt(line.group(1)) : 0;
  }

  /** The distribution, started by its script; listens on loopback. */
  public static Plan distribution() {
    Plan plan = new Plan("distribution", "", "--set", "listens at http://[0-9.]+:(\\d+)");
    plan.add(TARGET.resolve("millrace/bin/millrace").toString(), "serve");
    return plan.set("HOST=127.0.0.1").set("PORT=0");
  }

  /** The WAR in Tomcat with the connector of docs/deploy.md; listens on every address. */
  public static Plan tomcat() {
    return plainTomcat().add("--documented");
  }

  /** The WAR in Tomcat as it comes. */
  public static Plan plainTomcat() {
    return tomcat("tomcat");
  }

  /** The WAR in a Tomcat of Servlet 6.0. */
  public static Plan oldTomcat() {
    return tomcat("tomcat-old");
  }

  private static Plan tomcat(String version) {
    Plan plan = new Plan(version, "/millrace", "--parameter", "listens at (\\d+)");
    plan.directory = TARGET.getParent();
    plan.add(JAVA).add(JVM).add("-cp", CONTAINERS.resolve(version) + "/*");
    plan.add("src/test/containers/TomcatMain.java");
    return plan.add(
        "--address", "0.0.0.0", "--war", "target/millrace.war", "--context", "/millrace");
  }

  /** The WAR in a program that embeds Jetty; listens on every address. */
  public static Plan jetty() {
    Plan plan = new Plan("jetty", "/millrace", "--parameter", "listens at (\\d+)");
    plan.directory = TARGET.getParent();
    plan.add(JAVA).add(JVM).add("-cp", embeddedJetty());
    plan.add("src/test/containers/JettyMain.java");
    return plan.add(
        "--address", "0.0.0.0", "--war", "target/millrace.war", "--context", "/millrace");
  }

  private static String embeddedJetty() {
    Path lib = jettyHome().resolve("lib");
    Pattern wanted =
        Pattern.compile(
            "jetty-(http|io|util|server|session|security|xml|ee-webapp|ee11-servlet|ee11-webapp)-[0-9.]+\\.jar"
                + "|jakarta\\.servlet-api-6\\.1\\.\\d+\\.jar|slf4j-api-.*|jetty-slf4j-impl-.*");
    return Stream.concat(list(lib), list(lib.resolve("logging")))
        .filter(jar -> wanted.matcher(jar.getFileName().toString()).matches())
        .map(Path::toString)
        .reduce((left, right) -> left + File.pathSeparator + right)
        .orElseThrow();
  }

  /** jetty-home run in the jetty-base that the build has made; listens on every address. */
  public static Plan jettyHomeAndBase() {
    Plan plan =
        new Plan(
            "jetty-home",
            "/millrace",
            "-Dmillrace.",
            "(?s)Started oejs\\.ServerConnector@[^\\n]*:(\\d+)\\}.*Started oejs\\.Server@");
    plan.directory = TARGET.resolve("jetty-base");
    plan.add(JAVA).add(JVM);
    plan.last = List.of("-jar", jettyHome().resolve("start.jar").toString(), "jetty.http.port=0");
    return plan;
  }

  private static Path jettyHome() {
    return list(CONTAINERS)
        .filter(directory -> directory.getFileName().toString().startsWith("jetty-home-"))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<Path> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An address of this machine that is not loopback, if it has one. */
  public static Optional<InetAddress> outerAddress() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
          .findFirst();
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return port;
  }

  /** {@code target} with the context path before it; it begins with a slash. */
  public String path(String target) {
    return contextPath + target;
  }

  public String path(StreamLink link) {
    return path(link.toString());
  }

  /** The answer is read to its end and kept. */
  public RawAnswer fetch(String method, StreamLink link, String... fields) throws IOException {
    return fetch(method, link.toString(), fields);
  }

  public RawAnswer fetch(String method, String target, String... fields) throws IOException {
    return RawHttp.fetch(port, method, path(target), fields);
  }

  /** GET of the stream route whose body is compared with {@link OffsetBytes} instead of kept. */
  public CountedAnswer count(StreamLink link, String... fields) throws IOException {
    return RawHttp.count(port, path(link), fields);
  }

  /** A client with a receive buffer of about so many bytes that has read nothing of the answer. */
  public RawHttp ask(int receiveBufferBytes, StreamLink link) throws IOException {
    RawHttp client = RawHttp.connect(port, receiveBufferBytes);
    client.request("GET", path(link));
    return client;
  }

  /** Everything it has printed so far. */
  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has a container of ours take the application out; its lines from then on. */
  public String undeploy() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    Await.until("undeployed: " + log, STOP, () -> output().contains("\nend\n"));
    return output().substring(output().indexOf("undeployed"));
  }

  /** The exit status; fails if it goes on running. */
  public int exit() throws InterruptedException {
    if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it runs: " + log);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("it does not stop: " + log);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** How to start one; its methods change it. */
  public static final class Plan {
    private final String name;
    private final String contextPath;
    private final String settingOption;
    private final Pattern listens;
    private final List<String> command = new ArrayList<>();
    private List<String> last = List.of();
    private Path directory = TARGET;

    private Plan(String name, String contextPath, String settingOption, String listens) {
      this.name = name;
      this.contextPath = contextPath;
      this.settingOption = settingOption;
      this.listens = Pattern.compile(listens);
    }

    private Plan add(List<String> words) {
      command.addAll(words);
      return this;
    }

    /** Further words of the command line. */
    public Plan add(String... words) {
      return add(List.of(words));
    }

    /** {@code NAME=value}, in the way in which the deployment takes settings. */
    public Plan set(String setting) {
      return settingOption.startsWith("-D")
          ? add(settingOption + setting)
          : add(settingOption, setting);
    }

    /** A JVM property, {@code name=value}. */
    public Plan property(String property) {
      command.add(1, "-D" + property);
      return this;
    }

    /** Starts it; returns when it listens, or has ended instead. */
    public Deployment start() {
      try {
        command.addAll(last);
        return new Deployment(this);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
