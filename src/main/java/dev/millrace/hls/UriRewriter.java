package dev.millrace.hls;

import dev.millrace.stream.ByteBuilder;
import java.util.Map;

/** Says what stands in a playlist in place of an address. */
@FunctionalInterface
public interface UriRewriter {
  /**
   * Appends what is to stand there.
   *
   * @param uri an absolute {@code http} or {@code https} address, variables replaced; as it stands
   *     in the playlist otherwise. Valid during the call, unchanged by it
   * @param carried what whoever follows the address has to know besides: further parameters of the
   *     link, such as the variables of a multivariant playlist; mostly empty
   * @param out text that may stand in a playlist, in quotes too
   */
  void rewrite(UriKind kind, ByteBuilder uri, Map<String, String> carried, ByteBuilder out);
}
