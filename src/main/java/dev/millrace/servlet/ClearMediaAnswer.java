package dev.millrace.servlet;

import dev.millrace.proxy.DashSegmentParameters;
import dev.millrace.proxy.DashSegmentPlanner;
import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.ContentRange;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import java.util.OptionalLong;
import org.eclipse.jetty.io.Content;

/** Answers with clear media, or the range of it that the client asks for. */
final class ClearMediaAnswer {
  private final DashSegmentParameters parameters;
  private final DashSegmentPlanner.Wanted wanted;
  private final boolean isHead;

  ClearMediaAnswer(
      DashSegmentParameters parameters, DashSegmentPlanner.Wanted wanted, boolean isHead) {
    this.parameters = parameters;
    this.wanted = wanted;
    this.isHead = isHead;
  }

  boolean isHead() {
    return isHead;
  }

  /**
   * Responds.
   *
   * @param head of the origin's answer for the media
   * @param length of the body with what is before it, if known
   * @param prefix clear bytes that come before; may be empty
   * @throws ExchangeException (416) if the range cannot be served; the caller fails the body
   */
  void respond(
      UpstreamHead head,
      OptionalLong length,
      byte[] prefix,
      Content.Source body,
      Errand.Reply reply)
      throws ExchangeException {
    DashSegmentPlanner.Plan plan =
        DashSegmentPlanner.plan(parameters, head, length, prefix.length, wanted);
    if (isHead) {
      body.fail(new IOException("only the fields are wanted"));
      reply.respond(plan.response(), PlaylistAnswer.nothing());
      return;
    }
    reply.respond(plan.response(), part(plan, length, new PrefixedBody(prefix, body)));
  }

  private static Content.Source part(
      DashSegmentPlanner.Plan plan, OptionalLong length, Content.Source whole) {
    if (plan.part().isPresent()) {
      ContentRange part = plan.part().get();
      return WindowBody.exactly(whole, part.first(), part.length());
    }
    return length.isPresent() ? WindowBody.exactly(whole, 0, length.getAsLong()) : whole;
  }
}
