package dev.millrace.upstream;

import org.eclipse.jetty.client.ProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpConversation;
import org.eclipse.jetty.client.transport.HttpExchange;
import org.eclipse.jetty.client.transport.HttpRequest;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Passes over interim responses, any number of any kind (RFC 9110 §15.2): the final one follows on
 * the same exchange. How long that may take is the caller's limit.
 */
final class JettyInterimResponses implements ProtocolHandler {
  @Override
  public String getName() {
    return "interim";
  }

  @Override
  public boolean accept(Request request, Response response) {
    return HttpStatus.isInterim(response.getStatus());
  }

  @Override
  public Response.Listener getResponseListener() {
    return new PassOver();
  }

  private static final class PassOver implements Response.Listener {
    @Override
    public void onSuccess(Response response) {
      HttpConversation conversation = conversationOf(response);
      conversation.updateResponseListeners(null);
      HttpExchange exchange = conversation.getExchanges().peekLast();
      if (exchange != null) {
        exchange.resetResponse();
      }
    }

    @Override
    public void onFailure(Response response, Throwable failure) {
      HttpConversation conversation = conversationOf(response);
      conversation.updateResponseListeners(null);
      HttpExchange exchange = conversation.getExchanges().peekLast();
      if (exchange != null) {
        exchange
            .getResponseListeners()
            .emitFailureComplete(
                new Result(exchange.getRequest(), exchange.getRequestFailure(), response, failure));
      }
    }

    private static HttpConversation conversationOf(Response response) {
      return ((HttpRequest) response.getRequest()).getConversation();
    }
  }
}
