package dev.millrace.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.link.FormEncoding;
import dev.millrace.stream.ByteBuilder;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Links with everything in the query, the address where it was. All but the address is ready. */
final class PlainLinks implements LinkShape {
  /** A query up to the address, and from there on. */
  private record Query(byte[] before, byte[] after) {
    static Query of(Map<String, String> parameters) {
      Map<String, String> before = new LinkedHashMap<>();
      Map<String, String> after = new LinkedHashMap<>();
      boolean isBefore = true;
      for (Map.Entry<String, String> parameter : parameters.entrySet()) {
        if (parameter.getKey().equals("d")) {
          isBefore = false;
        } else {
          (isBefore ? before : after).put(parameter.getKey(), parameter.getValue());
        }
      }
      String start = before.isEmpty() ? "?d=" : "?" + FormEncoding.query(before) + "&d=";
      String end = after.isEmpty() ? "" : "&" + FormEncoding.query(after);
      return new Query(start.getBytes(UTF_8), end.getBytes(UTF_8));
    }
  }

  private final AddressEncoding encoding = new AddressEncoding();
  private final Map<ChildRoute, byte[]> routes = new EnumMap<>(ChildRoute.class);
  private final Map<Group, Query> queries = new EnumMap<>(Group.class);

  PlainLinks(PublicAddress publicAddress, ChildParameters parameters) {
    for (ChildRoute route : ChildRoute.values()) {
      routes.put(route, publicAddress.url(route.path()).getBytes(UTF_8));
    }
    queries.put(Group.PLAYLISTS, Query.of(parameters.ofPlaylists()));
    queries.put(Group.MEDIA, Query.of(parameters.ofMedia()));
    queries.put(Group.PLAIN, Query.of(parameters.ofPlain()));
  }

  @Override
  public void append(
      ChildRoute route,
      Group group,
      ByteBuilder address,
      Map<String, String> carried,
      ByteBuilder out) {
    Query query = queries.get(group);
    out.append(routes.get(route)).append(query.before());
    encoding.append(address, out);
    out.append(query.after());
    if (!carried.isEmpty()) {
      out.append((byte) '&').append(FormEncoding.query(carried));
    }
  }
}
