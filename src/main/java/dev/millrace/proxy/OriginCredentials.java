package dev.millrace.proxy;

import dev.millrace.stream.ByteBuilder;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.Target;

/**
 * User and password of a playlist's address, which its addresses of the same origin need too.
 *
 * @param target of the playlist, with them
 */
record OriginCredentials(Target target) {
  static OriginCredentials of(Target target) {
    return new OriginCredentials(target);
  }

  /** The address with them, if it is of that origin and has none. */
  ByteBuilder with(ByteBuilder uri) {
    try {
      Target other = Target.parse(uri.toString());
      if (other.userInfo().isPresent() || !other.sameOrigin(target)) {
        return uri;
      }
    } catch (BadTargetException unreachable) {
      return uri;
    }
    String known = target.url();
    int pathStart = AddressText.pathStart(uri);
    return new ByteBuilder(uri.length() + known.length())
        .append(known.substring(0, AddressText.pathStart(known)))
        .append(uri.array(), pathStart, uri.length() - pathStart);
  }

  /** Without them. */
  @Override
  public String toString() {
    return "OriginCredentials[" + target + "]";
  }
}
