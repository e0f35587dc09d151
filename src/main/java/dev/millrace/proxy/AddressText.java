package dev.millrace.proxy;

import dev.millrace.link.FormEncoding;
import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.Target;
import java.util.Map;
import java.util.StringJoiner;

/** Parts of addresses that have to be found without reading the rest. */
final class AddressText {
  private AddressText() {}

  /** Where the authority of {@code http://…} ends; the length of the text if nothing follows. */
  static int pathStart(String url) {
    int at = url.indexOf("://") + 3;
    while (at < url.length() && "/?#".indexOf(url.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  /** The same in bytes. */
  static int pathStart(ByteBuilder url) {
    int at = 0;
    int slashes = 0;
    while (at < url.length() && slashes < 2) {
      slashes += url.at(at++) == '/' ? 1 : 0;
    }
    while (at < url.length() && "/?#".indexOf(url.at(at)) < 0) {
      at++;
    }
    return at;
  }

  /**
   * The same place with these parameters in the query, behind the others and instead of those of
   * the same names; the others keep their bytes.
   */
  static Target withParameters(Target target, Map<String, String> parameters) {
    if (parameters.isEmpty()) {
      return target;
    }
    String path = target.path();
    StringJoiner query = new StringJoiner("&", path + "?", "");
    if (path.length() < target.requestTarget().length()) {
      for (String pair : target.requestTarget().substring(path.length() + 1).split("&", -1)) {
        int equals = pair.indexOf('=');
        if (!parameters.containsKey(equals < 0 ? pair : pair.substring(0, equals))) {
          query.add(pair);
        }
      }
    }
    query.add(FormEncoding.query(parameters));
    return new Target(
        target.scheme(), target.host(), target.port(), query.toString(), target.userInfo());
  }
}
