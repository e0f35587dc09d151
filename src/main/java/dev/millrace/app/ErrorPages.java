package dev.millrace.app;

import dev.millrace.proxy.ResponsePlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What clients see of errors that Jetty itself finds (requests that are not HTTP, heads that are
 * too large): a line of JSON that says what the status means, and nothing of the inside.
 */
final class ErrorPages {
  private static final String JSON = "application/json";

  private ErrorPages() {}

  /** For what is refused before a servlet is asked. */
  static final class OfServer extends ErrorHandler {
    @Override
    protected boolean generateAcceptableResponse(
        Request request,
        Response response,
        Callback callback,
        String contentType,
        List<Charset> charsets,
        int code,
        String message,
        @Nullable Throwable cause)
        throws IOException {
      secure(response);
      return super.generateAcceptableResponse(
          request, response, callback, JSON, charsets, code, text(code), null);
    }

    @Override
    protected void writeErrorJson(
        Request request, PrintWriter writer, int code, String message, @Nullable Throwable cause) {
      writeDetail(writer, code);
    }
  }

  /** For what happens around a servlet. */
  static final class OfContext extends org.eclipse.jetty.ee11.servlet.ErrorHandler {
    @Override
    protected boolean generateAcceptableResponse(
        Request request,
        Response response,
        Callback callback,
        String contentType,
        List<Charset> charsets,
        int code,
        String message,
        @Nullable Throwable cause)
        throws IOException {
      secure(response);
      return super.generateAcceptableResponse(
          request, response, callback, JSON, charsets, code, text(code), null);
    }

    @Override
    protected void writeErrorJson(
        Request request, PrintWriter writer, int code, String message, @Nullable Throwable cause) {
      writeDetail(writer, code);
    }
  }

  private static void secure(Response response) {
    ResponsePlan.SAFETY.forEach(line -> response.getHeaders().put(line.name(), line.value()));
    response.getHeaders().put("Access-Control-Allow-Origin", "*");
  }

  private static void writeDetail(PrintWriter writer, int code) {
    writer.write("{\"detail\":\"" + text(code) + "\"}");
  }

  private static String text(int code) {
    return HttpStatus.getMessage(code);
  }
}
