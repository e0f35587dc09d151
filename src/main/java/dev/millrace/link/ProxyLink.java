package dev.millrace.link;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that a link carries.
 *
 * @param parameters the whole query of the request, decoded, in order; secrets
 * @param rights never taken from the parameters, whatever these are called
 */
public record ProxyLink(Map<String, String> parameters, LinkRights rights) {
  public ProxyLink {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /** A link for something that this one leads to: other parameters, the same limits. */
  public ProxyLink child(Map<String, String> childParameters) {
    return new ProxyLink(childParameters, rights);
  }

  /** Names only. */
  @Override
  public String toString() {
    return "ProxyLink" + parameters.keySet();
  }
}
