package dev.millrace.upstream;

import java.util.Optional;

/**
 * The way to one origin.
 *
 * @param proxy what its requests go through; none: they go directly
 * @param verifyTls whether the certificate of the origin is checked; that of a proxy always is
 */
record OutboundRoute(Optional<ForwardProxy> proxy, boolean verifyTls) {
  /** Whether requests to this target go to an HTTP proxy as they are, without a tunnel. */
  boolean isInAbsoluteForm(Target target) {
    return target.scheme().equals("http") && proxy.filter(ForwardProxy::isHttp).isPresent();
  }
}
