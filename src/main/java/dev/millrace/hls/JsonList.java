package dev.millrace.hls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.stream.ByteBuilder;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Rewrites the addresses in what playlists refer to in JSON (RFC 8259): steering manifests ({@code
 * RELOAD-URI}, and {@code PER-VARIANT-URIS} and {@code PER-RENDITION-URIS} of {@code
 * PATHWAY-CLONES}; RFC 8216bis §7.2 and §7.4) and asset lists ({@code URI} of {@code ASSETS};
 * appendix D.3). What a pathway clone says of hosts and query parameters is left out, for it would
 * be put into links: players that follow it go on with the links of the base pathway. Everything
 * else stays, in its order; blanks do not.
 *
 * <p>Limits: {@link #MAX_BYTES}, {@link #MAX_DEPTH}, {@link #MAX_ADDRESSES}. An address longer than
 * {@link PlaylistRewriter#MAX_ADDRESS_BYTES} stays as it is, like one of another scheme.
 */
public final class JsonList {
  /** Longest text, in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  /** Most arrays and objects in one another. */
  public static final int MAX_DEPTH = 32;

  /** Most addresses that are rewritten in one text. */
  public static final int MAX_ADDRESSES = 4_096;

  /** Names come from outside: none is kept in tables that all readers share. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(1_000)
                  .maxNameLength(MAX_BYTES)
                  .maxStringLength(MAX_BYTES)
                  .build())
          .build();

  private static final String CLONES = "PATHWAY-CLONES";
  private static final String REPLACEMENT = "URI-REPLACEMENT";
  private static final String ELEMENT = "[]";

  /** Where addresses stand. An empty name stands for any. */
  private static final Map<UriKind, List<String>> PLACES =
      Map.of(
          UriKind.STEERING, List.of("RELOAD-URI"),
          UriKind.VARIANT, List.of(CLONES, ELEMENT, REPLACEMENT, "PER-VARIANT-URIS", ""),
          UriKind.RENDITION, List.of(CLONES, ELEMENT, REPLACEMENT, "PER-RENDITION-URIS", ""),
          UriKind.ASSET, List.of("ASSETS", ELEMENT, "URI"));

  private static final List<List<String>> LEFT_OUT =
      List.of(
          List.of(CLONES, ELEMENT, REPLACEMENT, "HOST"),
          List.of(CLONES, ELEMENT, REPLACEMENT, "PARAMS"));

  private final BaseUri base;
  private final UriRewriter rewriter;
  private final JsonParser in;
  private final JsonGenerator out;
  private final JsonPath path = new JsonPath();
  private int addresses;

  private JsonList(BaseUri base, UriRewriter rewriter, JsonParser in, JsonGenerator out) {
    this.base = base;
    this.rewriter = rewriter;
    this.in = in;
    this.out = out;
  }

  /**
   * The text with other addresses.
   *
   * @param json one object, in UTF-8
   * @param baseUri where it was found in the end, absolute
   * @param uris asked for each address
   * @throws BadListException if it is no JSON object, or beyond a limit
   */
  public static byte[] rewritten(byte[] json, String baseUri, UriRewriter uris)
      throws BadListException {
    if (json.length > MAX_BYTES) {
      throw BadListException.tooLarge();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * json.length);
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), json);
        JsonGenerator out = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
      new JsonList(BaseUri.of(baseUri), uris, in, out).write();
    } catch (JacksonException e) {
      throw BadListException.malformed();
    }
    return bytes.toByteArray();
  }

  private void write() throws BadListException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw BadListException.malformed();
    }
    out.writeStartObject();
    path.open(false);
    while (path.isOpen()) {
      write(in.nextToken());
    }
    if (in.nextToken() != null) {
      throw BadListException.malformed();
    }
  }

  private void write(JsonToken token) throws BadListException {
    switch (token) {
      case PROPERTY_NAME -> writeName(in.currentName());
      case START_OBJECT, START_ARRAY -> {
        path.open(token == JsonToken.START_ARRAY);
        out.copyCurrentEvent(in);
      }
      case END_OBJECT, END_ARRAY -> {
        path.close();
        out.copyCurrentEvent(in);
      }
      case VALUE_STRING -> writeText(in.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(in.getString());
      default -> out.copyCurrentEvent(in);
    }
  }

  private void writeName(String name) {
    path.name(name);
    if (LEFT_OUT.stream().anyMatch(path::is)) {
      in.nextToken();
      in.skipChildren();
    } else {
      out.writeName(name);
    }
  }

  private void writeText(String text) throws BadListException {
    String written = text;
    for (Map.Entry<UriKind, List<String>> place : PLACES.entrySet()) {
      if (path.is(place.getValue())) {
        written = rewritten(place.getKey(), text);
      }
    }
    out.writeString(written);
  }

  private String rewritten(UriKind kind, String text) throws BadListException {
    byte[] reference = text.strip().getBytes(UTF_8);
    ByteBuilder uri = new ByteBuilder(256);
    boolean isHttp =
        reference.length > 0
            && reference.length <= PlaylistRewriter.MAX_ADDRESS_BYTES
            && base.resolve(reference, 0, reference.length, uri);
    if (!isHttp || uri.length() > PlaylistRewriter.MAX_ADDRESS_BYTES) {
      return text;
    }
    if (++addresses > MAX_ADDRESSES) {
      throw BadListException.tooManyAddresses();
    }
    ByteBuilder link = new ByteBuilder(512);
    rewriter.rewrite(kind, uri, Map.of(), link);
    return link.toString();
  }
}
