package dev.millrace.dash;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.stream.MediaFormatException;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the XML of an MPD into the elements that matter. A document type is refused, so there are
 * no entities but XML's own five. Namespaces are told apart by hand: many MPDs use prefixes that
 * they do not declare, and a reader that knows namespaces refuses those.
 */
final class MpdTree {
  /** Elements within elements; more is refused. */
  static final int MAX_DEPTH = 32;

  /** All elements, unknown ones included; more is refused. */
  static final int MAX_ELEMENTS = 250_000;

  /** Descriptors and such of one name in one element; further ones are left out. */
  static final int MAX_SAME = 64;

  private static final Set<String> MANY =
      Set.of("Period", "AdaptationSet", "Representation", "SegmentURL");
  private static final String DASH = "urn:mpeg:dash:schema:mpd";
  private static final Set<String> KNOWN =
      Set.of(
          "MPD",
          "Period",
          "AdaptationSet",
          "ContentComponent",
          "Representation",
          "BaseURL",
          "SegmentTemplate",
          "SegmentList",
          "SegmentBase",
          "SegmentURL",
          "Initialization",
          "RepresentationIndex",
          "ContentProtection",
          "Role",
          "Accessibility",
          "EssentialProperty",
          "SupplementalProperty",
          "AudioChannelConfiguration",
          "Label",
          "UTCTiming",
          "Location",
          "PatchLocation");

  private final XMLStreamReader reader;
  private final Set<String> prefixes = new HashSet<>();
  private int elements;

  private MpdTree(XMLStreamReader reader) {
    this.reader = reader;
  }

  /** The root element, whatever its name is. */
  static MpdElement read(InputStream xml) throws MediaFormatException {
    try {
      XMLStreamReader reader = factory().createXMLStreamReader(xml);
      checkEncoding(reader.getEncoding());
      checkEncoding(reader.getCharacterEncodingScheme());
      return new MpdTree(reader).root();
    } catch (XMLStreamException e) {
      throw refusal(e);
    }
  }

  /** Where a tag begins otherwise, {@link MpdReader#mostBytes} would not see it (EBCDIC). */
  private static void checkEncoding(@Nullable String name) throws MediaFormatException {
    if (name != null && !beginsTagsWithItsByte(name)) {
      throw MediaFormatException.unsupported("The MPD has an encoding that is not supported");
    }
  }

  private static boolean beginsTagsWithItsByte(String encoding) {
    try {
      return new String("<".getBytes(encoding), ISO_8859_1).indexOf('<') >= 0;
    } catch (UnsupportedEncodingException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** What is thrown while bytes are read comes wrapped. */
  private static MediaFormatException refusal(XMLStreamException e) {
    for (Throwable cause = e.getNestedException(); cause != null; cause = cause.getCause()) {
      if (cause instanceof MediaFormatException known) {
        return known;
      }
      if (cause instanceof CharConversionException) {
        break;
      }
      if (cause instanceof IOException) {
        return MpdReader.unreadable();
      }
    }
    return MediaFormatException.malformed(
        "The MPD is not well-formed XML" + place(e.getLocation()));
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
    return factory;
  }

  private static String place(@Nullable Location location) {
    return location == null
        ? ""
        : ": line " + location.getLineNumber() + ", column " + location.getColumnNumber();
  }

  private MpdElement root() throws XMLStreamException, MediaFormatException {
    while (reader.next() != XMLStreamConstants.START_ELEMENT) {
      if (reader.getEventType() == XMLStreamConstants.DTD) {
        throw MediaFormatException.unsupported("The MPD has a document type declaration");
      }
    }
    String prefix = prefix(reader.getLocalName());
    String namespace = declared(prefix);
    prefixes.add(prefix);
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      if (reader.getAttributeValue(i).equals(namespace) && isDeclaration(i)) {
        prefixes.add(declaredPrefix(i));
      }
    }
    MpdElement root = element(local(reader.getLocalName()), 1);
    while (reader.hasNext()) {
      reader.next(); // what follows has to be well-formed, too
    }
    return root;
  }

  /** The namespace that the current element declares for a prefix; empty if it does not. */
  private String declared(String prefix) {
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      if (isDeclaration(i) && declaredPrefix(i).equals(prefix)) {
        return reader.getAttributeValue(i);
      }
    }
    return "";
  }

  private boolean isDeclaration(int attribute) {
    return "xmlns".equals(reader.getAttributePrefix(attribute))
        || reader.getAttributeLocalName(attribute).equals("xmlns");
  }

  private String declaredPrefix(int attribute) {
    return "xmlns".equals(reader.getAttributePrefix(attribute))
        ? reader.getAttributeLocalName(attribute)
        : "";
  }

  private static String prefix(String name) {
    return name.substring(0, Math.max(0, name.indexOf(':')));
  }

  private static String local(String name) {
    return name.substring(name.indexOf(':') + 1);
  }

  /** At its start; ends at its end. */
  private MpdElement element(String name, int depth)
      throws XMLStreamException, MediaFormatException {
    count(depth);
    List<String> attributes = attributes();
    Map<String, List<MpdElement>> children = new HashMap<>(4);
    StringBuilder text = new StringBuilder();
    SegmentTimeline timeline = null;
    for (int event = reader.next();
        event != XMLStreamConstants.END_ELEMENT;
        event = reader.next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        String child = ownName();
        if (child.equals("SegmentTimeline")) {
          timeline = timeline(depth + 1);
        } else if (KNOWN.contains(child)) {
          keep(element(child, depth + 1), children);
        } else {
          skip(depth + 1);
        }
      } else if (isText(event) && text.length() <= BaseUrls.MAX_LENGTH) {
        text.append(reader.getText());
      }
    }
    return new MpdElement(
        name,
        attributes,
        children.isEmpty() ? Map.of() : children,
        text.toString().strip(),
        timeline);
  }

  /** Only the beginning of long text is kept: an address of that length is none. */
  private static boolean isText(int event) {
    return event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA;
  }

  private static void keep(MpdElement child, Map<String, List<MpdElement>> children) {
    List<MpdElement> same = children.computeIfAbsent(child.name(), name -> new ArrayList<>(1));
    if (same.size() < MAX_SAME || MANY.contains(child.name())) {
      same.add(child);
    }
  }

  /** The name of the current element without prefix; empty if it is of another namespace. */
  private String ownName() {
    String prefix = prefix(reader.getLocalName());
    String declared = declared(prefix);
    boolean isOwn =
        declared.isEmpty()
            ? prefixes.contains(prefix)
            : declared.toLowerCase(Locale.ROOT).startsWith(DASH);
    return isOwn ? local(reader.getLocalName()) : "";
  }

  private void count(int depth) throws MediaFormatException {
    if (depth > MAX_DEPTH) {
      throw MediaFormatException.unsupported(
          "The MPD is nested more than " + MAX_DEPTH + " deep" + place(reader.getLocation()));
    }
    if (++elements > MAX_ELEMENTS) {
      throw MediaFormatException.unsupported("The MPD has more than " + MAX_ELEMENTS + " elements");
    }
  }

  private List<String> attributes() {
    String[] attributes = new String[2 * reader.getAttributeCount()];
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String prefix = reader.getAttributePrefix(i);
      String name = reader.getAttributeLocalName(i);
      attributes[2 * i] = prefix == null || prefix.isEmpty() ? name : ":" + name;
      attributes[2 * i + 1] = reader.getAttributeValue(i);
    }
    return List.of(attributes);
  }

  private void skip(int depth) throws XMLStreamException, MediaFormatException {
    int open = 0;
    int event = XMLStreamConstants.START_ELEMENT;
    while (true) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        count(depth + open);
        open++;
      } else if (event == XMLStreamConstants.END_ELEMENT && --open == 0) {
        return;
      }
      event = reader.next();
    }
  }

  private SegmentTimeline timeline(int depth) throws XMLStreamException, MediaFormatException {
    count(depth);
    TimelineEntries entries = new TimelineEntries();
    for (int event = reader.next();
        event != XMLStreamConstants.END_ELEMENT;
        event = reader.next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        if (ownName().equals("S")) {
          entries.add(reader);
        }
        skip(depth + 1);
      }
    }
    return entries.timeline();
  }
}
