package dev.millrace.upstream;

import java.net.URI;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * A client request that goes to a {@link Target} exactly as that says.
 *
 * <p>Jetty's own request takes its address apart with {@code java.net.URI}, which refuses host
 * names with an underscore and reads a request target that begins with two slashes as an authority.
 */
final class JettyRequest extends HttpRequest {
  private static final int HTTP_PORT = 80;

  private final Target target;
  private final boolean isInAbsoluteForm;

  /**
   * @param isInAbsoluteForm whether the request target is the whole address, as proxies want it
   *     (RFC 9112 §3.2.2)
   */
  JettyRequest(HttpClient client, Target target, boolean isInAbsoluteForm) {
    super(client, new HttpConversation(), URI.create(target.scheme() + "://host/"));
    this.target = target;
    this.isInAbsoluteForm = isInAbsoluteForm;
  }

  @Override
  public String getHost() {
    return target.host();
  }

  @Override
  public int getPort() {
    return target.port();
  }

  @Override
  public String getPath() {
    return isInAbsoluteForm ? address() + target.path() : target.path();
  }

  /** As in the Host field: the port only if it is not the scheme's. */
  private String address() {
    String origin = target.origin();
    return target.port() == HTTP_PORT ? origin.substring(0, origin.lastIndexOf(':')) : origin;
  }

  /** Empty, not absent, if the target ends in a question mark. */
  @Override
  public @Nullable String getQuery() {
    int pathLength = target.path().length();
    String requestTarget = target.requestTarget();
    return pathLength == requestTarget.length() ? null : requestTarget.substring(pathLength + 1);
  }

  /** There is none, so that nothing is derived from it; the destination provides the Host field. */
  @Override
  public @Nullable URI getURI() {
    return null;
  }
}
