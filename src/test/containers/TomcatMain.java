import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.IntrospectionUtils;
import org.apache.tomcat.util.descriptor.web.ContextEnvironment;

/**
 * A Tomcat with one web application, for tests and benchmarks, run from its source:
 *
 * <pre>
 * java -cp 'target/containers/tomcat/*' src/test/containers/TomcatMain.java \
 *     --port 8080 --war target/millrace.war [--documented] [--address 0.0.0.0]
 *     [--context /path] [--connector NAME=VALUE]… [--parameter NAME=VALUE]… [--jndi NAME=VALUE]…
 * </pre>
 *
 * {@code --documented} takes the connector of docs/deploy.md, else it is as Tomcat makes it. Prints
 * {@code listens at PORT} when it does, {@code undeployed} and the names of the threads that are
 * left over after a line on standard input, and ends when standard input does. The exit status is 3
 * if the application does not start.
 */
public final class TomcatMain {
  private static final Pattern CONNECTOR = Pattern.compile("(?s)<Connector\\s+([^>]*?)/>");
  private static final Pattern ATTRIBUTE = Pattern.compile("(?s)([\\w.]+)\\s*=\\s*\"([^\"]*)\"");

  private TomcatMain() {}

  /** See above. */
  public static void main(String... args) throws Exception {
    Deque<String> options = new ArrayDeque<>(List.of(args));
    Tomcat tomcat = new Tomcat();
    Path base = Files.createTempDirectory("tomcat");
    tomcat.setBaseDir(base.toString());
    Files.createDirectories(base.resolve("webapps"));
    tomcat.enableNaming();
    Connector connector = new Connector("HTTP/1.1");
    connector.setPort(0);
    set(connector, "address", "127.0.0.1");
    String path = "";
    String war = "target/millrace.war";
    List<String[]> parameters = new java.util.ArrayList<>();
    List<String[]> entries = new java.util.ArrayList<>();
    while (!options.isEmpty()) {
      switch (options.pop()) {
        case "--documented" -> document(connector);
        case "--port" -> connector.setPort(Integer.parseInt(options.pop()));
        case "--address" -> set(connector, "address", options.pop());
        case "--war" -> war = options.pop();
        case "--context" -> path = options.pop();
        case "--connector" -> set(connector, options.peek().split("=", 2)[0], value(options.pop()));
        case "--parameter" -> parameters.add(options.pop().split("=", 2));
        case "--jndi" -> entries.add(options.pop().split("=", 2));
        default -> throw new IllegalArgumentException("unknown option, see the source");
      }
    }
    tomcat.setConnector(connector);
    ((StandardHost) tomcat.getHost()).setUnpackWARs(true);
    Context context = tomcat.addWebapp(path, new File(war).getAbsolutePath());
    parameters.forEach(pair -> context.addParameter(pair[0], pair[1]));
    for (String[] pair : entries) {
      ContextEnvironment entry = new ContextEnvironment();
      entry.setName("millrace/" + pair[0]);
      entry.setValue(pair[1]);
      entry.setType("java.lang.String");
      context.getNamingResources().addEnvironment(entry);
    }
    tomcat.start();
    if (context.getState() != LifecycleState.STARTED) {
      System.exit(3);
    }
    System.out.println("listens at " + connector.getLocalPort());
    if (System.in.read() >= 0) {
      tomcat.getHost().removeChild(context);
      System.out.println("undeployed");
      Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .filter(name -> name.contains("millrace"))
          .forEach(name -> System.out.println("left over: " + name));
      System.out.println("end");
      while (System.in.read() >= 0) {
        // until it ends
      }
    }
    System.exit(0);
  }

  private static String value(String pair) {
    return pair.split("=", 2)[1];
  }

  private static void document(Connector connector) throws Exception {
    Matcher element = CONNECTOR.matcher(Files.readString(Path.of("docs", "deploy.md")));
    if (!element.find()) {
      throw new IllegalStateException("docs/deploy.md has no connector");
    }
    Matcher attribute = ATTRIBUTE.matcher(element.group(1));
    while (attribute.find()) {
      if (!attribute.group(1).equals("port") && !attribute.group(1).equals("protocol")) {
        set(connector, attribute.group(1), unescaped(attribute.group(2)));
      }
    }
  }

  private static String unescaped(String xml) {
    return xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
  }

  private static void set(Connector connector, String name, String value) {
    if (!IntrospectionUtils.setProperty(connector, name, value)) {
      throw new IllegalArgumentException("Tomcat knows no connector attribute " + name);
    }
  }
}
