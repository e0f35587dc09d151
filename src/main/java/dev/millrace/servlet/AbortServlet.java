package dev.millrace.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.io.QuietException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where an exchange goes whose body cannot be completed. Completing it would end it cleanly, and a
 * cut body would look whole; an exception after the response has begun is what makes every
 * container break the connection.
 */
public final class AbortServlet extends HttpServlet {
  /** Not reachable from outside: a direct request is answered as if there were nothing here. */
  public static final String PATH = "/.abort";

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(AbortServlet.class);

  /** Attribute of an aborted request: what to run when the exception is on its way. */
  private static final String THROWING = AbortServlet.class.getName() + ".throwing";

  /** Attribute of an aborted request that was never complete: nothing was answered yet, 400 is. */
  private static final String INCOMPLETE = AbortServlet.class.getName() + ".incomplete";

  /** The same as {@link #abort}, for a request whose own body cannot be read. */
  static void refuse(HttpServletRequest clientRequest, AsyncContext exchange, Runnable throwing) {
    clientRequest.setAttribute(INCOMPLETE, true);
    abort(clientRequest, exchange, throwing);
  }

  /**
   * Breaks the exchange's connection, or in HTTP/2 its stream.
   *
   * @param throwing runs when the exception is about to reach the container, which then breaks the
   *     connection without telling anybody; or at once, if the container has ended the exchange
   */
  static void abort(HttpServletRequest clientRequest, AsyncContext exchange, Runnable throwing) {
    try {
      clientRequest.setAttribute(THROWING, throwing);
      exchange.dispatch(PATH);
    } catch (IllegalStateException | UnsupportedOperationException alreadyOver) {
      LOG.debug("the container has ended the exchange or the application by itself", alreadyOver);
      throwing.run();
    }
  }

  /** Thrown so that the container aborts; costs no stack trace, and containers do not log it. */
  static final class BodyAbortedException extends IOException implements QuietException {
    private static final long serialVersionUID = 1L;

    BodyAbortedException() {
      super("body aborted");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  @Override
  protected void service(HttpServletRequest clientRequest, HttpServletResponse proxyResponse)
      throws ServletException, IOException {
    if (clientRequest.getDispatcherType() != DispatcherType.ASYNC) {
      proxyResponse.setStatus(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    if (clientRequest.getAttribute(THROWING) instanceof Runnable throwing) {
      throwing.run();
    }
    if (clientRequest.getAttribute(INCOMPLETE) != null && !proxyResponse.isCommitted()) {
      proxyResponse.setHeader("Connection", "close");
      proxyResponse.sendError(HttpServletResponse.SC_BAD_REQUEST);
      return;
    }
    throw new BodyAbortedException();
  }
}
