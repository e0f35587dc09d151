package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.link.FormEncoding;
import dev.millrace.stream.ByteBuilder;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Links with everything in the query, the address where it was. All but the address is ready. */
final class PlainLinks implements LinkShape {
  /** A query up to the address, and from there on. */
  private static final class Query {
    private final byte[] before;
    private final byte[] after;

    private Query(Map<String, String> before, Map<String, String> after) {
      String start = before.isEmpty() ? "?d=" : "?" + FormEncoding.query(before) + "&d=";
      String end = after.isEmpty() ? "" : "&" + FormEncoding.query(after);
      this.before = start.getBytes(UTF_8);
      this.after = end.getBytes(UTF_8);
    }

    static Query of(Map<String, String> parameters) {
      Map<String, String> before = new LinkedHashMap<>();
      Map<String, String> after = new LinkedHashMap<>();
      Map<String, String> part = before;
      for (Map.Entry<String, String> parameter : parameters.entrySet()) {
        if (parameter.getKey().equals("d")) {
          part = after;
        } else {
          part.put(parameter.getKey(), parameter.getValue());
        }
      }
      return new Query(before, after);
    }
  }

  private final AddressEncoding encoding = new AddressEncoding();

  private final Map<ChildRoute, byte[]> routes = new EnumMap<>(ChildRoute.class);

  private final Query ofPlaylists;
  private final Query ofMedia;
  private final Query ofPlain;

  PlainLinks(PublicAddress publicAddress, ChildParameters parameters) {
    for (ChildRoute route : ChildRoute.values()) {
      routes.put(route, publicAddress.url(route.path()).getBytes(UTF_8));
    }
    ofPlaylists = Query.of(parameters.ofPlaylists());
    ofMedia = Query.of(parameters.ofMedia());
    ofPlain = Query.of(parameters.ofPlain());
  }

  @Override
  public void append(
      ChildRoute route,
      Group group,
      ByteBuilder address,
      Map<String, String> carried,
      ByteBuilder out) {
    Query query =
        switch (group) {
          case PLAYLISTS -> ofPlaylists;
          case MEDIA -> ofMedia;
          case PLAIN -> ofPlain;
        };
    out.append(requireNonNull(routes.get(route))).append(query.before);
    encoding.append(address, out);
    out.append(query.after);
    if (!carried.isEmpty()) {
      out.append((byte) '&').append(FormEncoding.query(carried));
    }
  }
}
