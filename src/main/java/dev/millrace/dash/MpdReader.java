package dev.millrace.dash;

import dev.millrace.dash.Mpd.UtcTiming;
import dev.millrace.stream.MediaFormatException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads a media presentation description (ISO/IEC 23009-1 §5.3): what it inherits is put where it
 * holds, and every address is absolute. Lenient: what cannot be read is left out alone: an
 * attribute, a representation, or a period that is somewhere else ({@code xlink:href}; nothing is
 * fetched here).
 */
public final class MpdReader {
  /** More is refused. */
  public static final int MAX_BYTES = 10 << 20;

  private static final int TIMELINE_ENTRY_BYTES = 80;
  private static final int ELEMENT_BYTES = 320;

  private final MpdElement root;
  private final AdaptationSetReader sets = new AdaptationSetReader();

  private MpdReader(MpdElement root) {
    this.root = root;
  }

  /**
   * Reads all of it.
   *
   * @param xml in any encoding in which tags begin as in ASCII; at most {@link #MAX_BYTES} are
   *     read, 32 levels and 250,000 elements; not closed
   * @param url where it was found in the end; relative addresses begin there
   * @throws MediaFormatException if it is no MPD, or beyond a limit, or the stream fails
   */
  public static Mpd read(InputStream xml, String url) throws MediaFormatException {
    MpdElement root = MpdTree.read(begun(xml));
    if (!root.name().equals("MPD")) {
      throw MediaFormatException.malformed(
          "It is no MPD: its root element is " + shown(root.name()) + " (expected: MPD)");
    }
    return new MpdReader(root).mpd(BaseUrls.of(url));
  }

  /**
   * What reading it takes at most, in bytes, besides its text: twice its tags, and something for
   * each element.
   *
   * @param xml read to its end
   */
  public static long mostBytes(InputStream xml) throws IOException {
    byte[] piece = new byte[8 << 10];
    long bytes = 0;
    int last = 0;
    boolean isTag = false;
    for (int length = xml.read(piece); length >= 0; length = xml.read(piece)) {
      for (int i = 0; i < length; i++) {
        int elementBytes = last == '<' ? elementBytes(piece[i]) : 0;
        isTag = elementBytes > 0 || (isTag && last != '>');
        bytes += elementBytes + (isTag ? 2 : 0);
        last = piece[i];
      }
    }
    return bytes;
  }

  /** By the first letter of its name: entries of timelines are five numbers. */
  private static int elementBytes(int letter) {
    return switch (letter) {
      case '/', '!', '?' -> 0;
      case 'S' -> TIMELINE_ENTRY_BYTES;
      default -> ELEMENT_BYTES;
    };
  }

  /** Without the blank lines that some servers send first and XML does not allow there. */
  private static InputStream begun(InputStream xml) throws MediaFormatException {
    PushbackInputStream begun = new PushbackInputStream(new Limited(xml));
    try {
      int first = begun.read();
      while (first >= 0 && " \t\r\n".indexOf(first) >= 0) {
        first = begun.read();
      }
      if (first < 0) {
        throw MediaFormatException.malformed("The MPD is empty");
      }
      begun.unread(first);
    } catch (MediaFormatException e) {
      throw e;
    } catch (IOException e) {
      throw unreadable();
    }
    return begun;
  }

  static MediaFormatException unreadable() {
    return MediaFormatException.truncated("The MPD cannot be read to its end");
  }

  /** Fails beyond {@link #MAX_BYTES}. */
  private static final class Limited extends FilterInputStream {
    private int left = MAX_BYTES;

    Limited(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count(next < 0 ? 0 : 1);
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) throws MediaFormatException {
      left -= bytes;
      if (left < 0) {
        throw MediaFormatException.unsupported("The MPD has more than " + MAX_BYTES + " bytes");
      }
    }
  }

  private static String shown(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9_.-]", "?");
    return plain.length() > 40 ? plain.substring(0, 40) + "…" : plain;
  }

  private Mpd mpd(BaseUrls outer) throws MediaFormatException {
    BaseUrls base = outer.with(root);
    boolean isDynamic = root.attribute("type").filter("dynamic"::equals).isPresent();
    Optional<Duration> duration = duration("mediaPresentationDuration");
    return new Mpd(
        isDynamic,
        root.attribute("availabilityStartTime").flatMap(Lexical::dateTime),
        root.attribute("publishTime").flatMap(Lexical::dateTime),
        duration,
        duration("minimumUpdatePeriod"),
        duration("timeShiftBufferDepth"),
        duration("maxSegmentDuration"),
        duration("suggestedPresentationDelay"),
        addresses("Location", outer),
        addresses("PatchLocation", outer).stream().findFirst(),
        root.all("UTCTiming").flatMap(MpdReader::utcTiming).toList(),
        periods(base, new PeriodTimes(isDynamic, duration)));
  }

  private Optional<Duration> duration(String name) {
    return root.attribute(name).flatMap(Lexical::duration);
  }

  /** They are relative to where the MPD was found, not to its {@code BaseURL} (§5.6.4). */
  private List<String> addresses(String name, BaseUrls outer) throws MediaFormatException {
    List<String> addresses = new ArrayList<>();
    for (MpdElement element : root.all(name).toList()) {
      if (!element.text().isEmpty()) {
        outer.resolve(element.text()).ifPresent(addresses::add);
      }
    }
    return addresses;
  }

  private static Stream<UtcTiming> utcTiming(MpdElement element) {
    return element
        .attribute("value")
        .map(value -> new UtcTiming(Descriptors.scheme(element), value))
        .stream();
  }

  private List<Period> periods(BaseUrls base, PeriodTimes times) throws MediaFormatException {
    List<MpdElement> here = root.all("Period").filter(period -> !isElsewhere(period)).toList();
    List<Period> periods = new ArrayList<>();
    for (PeriodTimes.Placed placed : times.place(here)) {
      MpdElement element = placed.element();
      boolean isUnusable = Descriptors.needsUnknown(root) || Descriptors.needsUnknown(element);
      periods.add(
          new Period(
              element.attribute("id").orElse(""),
              placed.start(),
              placed.duration(),
              sets.sets(element, base.with(element), isUnusable)));
    }
    return periods;
  }

  private static boolean isElsewhere(MpdElement period) {
    return period.attribute(":href").isPresent() && period.first("AdaptationSet").isEmpty();
  }
}
