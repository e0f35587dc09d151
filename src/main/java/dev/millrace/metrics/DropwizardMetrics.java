package dev.millrace.metrics;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Instruments on Dropwizard's registry, with two windows: JMX under the domain {@value
 * #JMX_DOMAIN}, and Prometheus text.
 *
 * <p><b>Limit.</b> A name has at most {@value #MAX_SERIES} series. The last of them has {@code
 * other} for every label value and takes whatever comes when the rest are used up, so the size of
 * both windows depends on the code, never on what clients send.
 */
public final class DropwizardMetrics implements Metrics, AutoCloseable {
  /** Series per name, {@code other} included. */
  static final int MAX_SERIES = 128;

  static final String JMX_DOMAIN = "dev.millrace";

  private final Map<String, String> help;
  private final MetricRegistry registry = new MetricRegistry();
  private final Map<String, Series> registered = new ConcurrentHashMap<>();
  private final Map<String, Family> families = new ConcurrentSkipListMap<>();
  private @Nullable JmxReporter jmx;
  private boolean isClosed;

  /**
   * Instruments that nobody sees yet.
   *
   * @param help one sentence by name; what is not in it is shown without one
   */
  public DropwizardMetrics(Map<String, String> help) {
    this.help = Map.copyOf(help);
  }

  /** All series of one name. */
  private record Family(Kind kind, Map<Series, Instrument> series) {
    Family(Kind kind) {
      this(kind, new ConcurrentHashMap<>());
    }
  }

  @Override
  public Counter counter(String name, String... labels) {
    return (CountedNumber) instrument(Kind.COUNTER, name, labels, CountedNumber::new);
  }

  @Override
  public Timer timer(String name, String... labels) {
    return (MeasuredDuration) instrument(Kind.TIMER, name, labels, MeasuredDuration::new);
  }

  @Override
  public void gauge(String name, LongSupplier value, String... labels) {
    var unused = instrument(Kind.GAUGE, name, labels, () -> new ReadNumber(value));
  }

  @Override
  public void total(String name, LongSupplier value, String... labels) {
    var unused = instrument(Kind.COUNTER, name, labels, () -> new ReadNumber(value));
  }

  private Instrument instrument(
      Kind kind, String name, String[] labels, Supplier<Instrument> maker) {
    Series wanted = new Series(name, Arrays.asList(labels));
    Family family = families.computeIfAbsent(name, first -> new Family(kind));
    if (family.kind != kind) {
      throw new IllegalArgumentException(name + " is a " + family.kind + ", not a " + kind);
    }
    Instrument known = family.series.get(wanted);
    return known != null ? known : added(family, wanted, maker);
  }

  private synchronized Instrument added(Family family, Series wanted, Supplier<Instrument> maker) {
    boolean isRoom = family.series.size() < MAX_SERIES - 1;
    Series series = isRoom ? wanted : wanted.other();
    Instrument known = family.series.get(series);
    if (known != null) {
      return known;
    }
    checkLabels(family, series);
    Instrument made = maker.get();
    registered.put(series.toString(), series);
    registry.register(series.toString(), made.metric());
    family.series.put(series, made);
    return made;
  }

  private static void checkLabels(Family family, Series series) {
    for (Series other : family.series.keySet()) {
      if (!other.labelNames().equals(series.labelNames())) {
        throw new IllegalArgumentException(
            series.name() + " has labels " + other.labelNames() + ", not " + series.labelNames());
      }
    }
  }

  /** Everything there is, as Prometheus text 0.0.4: names in order, labels in order. */
  public String prometheusText() {
    PrometheusText text = new PrometheusText();
    families.forEach(
        (name, family) -> {
          String exposed = family.kind.exposedName(name);
          text.family(exposed, family.kind, help.getOrDefault(name, ""));
          family.series.entrySet().stream()
              .sorted(Comparator.comparing(entry -> entry.getKey().labels().toString()))
              .forEach(entry -> entry.getValue().write(text, exposed, entry.getKey()));
        });
    return text.toString();
  }

  /**
   * Shows everything, and what comes later, to JMX. Loading the platform's JMX takes a while, so
   * whoever starts a server does it on the side. Durations are in milliseconds there.
   */
  public synchronized void publishToJmx() {
    if (jmx == null && !isClosed) {
      jmx =
          JmxReporter.forRegistry(registry)
              .inDomain(JMX_DOMAIN)
              .convertDurationsTo(TimeUnit.MILLISECONDS)
              .createsObjectNamesWith((type, domain, key) -> objectName(domain, key))
              .build();
      jmx.start();
    }
  }

  /** {@code dev.millrace:name=requests,endpoint=stream,…}. */
  private ObjectName objectName(String domain, String key) {
    Series series = registered.get(key);
    if (series == null) {
      throw new IllegalStateException("not ours: " + key);
    }
    StringBuilder text = new StringBuilder(domain).append(":name=").append(series.name());
    for (int i = 0; i < series.labels().size(); i += 2) {
      text.append(',').append(series.labels().get(i)).append('=');
      text.append(quotedIfNeeded(series.labels().get(i + 1)));
    }
    try {
      return new ObjectName(text.toString());
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException("no JMX name: " + text, e);
    }
  }

  private static String quotedIfNeeded(String value) {
    return value.matches("[A-Za-z0-9._ -]+") ? value : ObjectName.quote(value);
  }

  /** Ends what JMX shows. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (jmx != null) {
      jmx.close();
      jmx = null;
    }
  }
}
