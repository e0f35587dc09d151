package dev.millrace.servlet;

import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.ee11.proxy.AsyncMiddleManServlet.ContentTransformer;

/**
 * An operator's body filter, found by {@link java.util.ServiceLoader}: {@code transformer=id} in a
 * request asks for it. A body that is filtered is fetched whole and answered without a length.
 */
public interface TransformerProvider {
  /**
   * What requests name; letters, digits, {@code -} and {@code _}; not {@code ts_stream}, our own.
   */
  String id();

  /**
   * A transformer for one body. It is called as Jetty documents it: any chunking, one thread at a
   * time, input buffers not kept; if it is {@link org.eclipse.jetty.util.component.Destroyable}, it
   * is destroyed at the end, after failures too.
   */
  ContentTransformer newTransformer(HttpServletRequest clientRequest);
}
