package dev.millrace.upstream;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.UpstreamException.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The next thing to ask, and what to make of the answer: redirects, short retries, and other forms
 * of a question that an origin does not understand. Pure decisions; {@link Attempts} acts on them.
 *
 * <p>Failed connections and 502, 503, 504 are asked again as often as {@code limits} says. A closed
 * connection may have been a pooled one that its origin had given up: that is made good once, at
 * once, whatever the limits are.
 *
 * <p>A forwarded request is asked once, and whatever the answer is, it is the answer. What might
 * change something goes out on a connection of its own, so that none can swallow it that its origin
 * had given up; only what changes nothing (RFC 9110 §9.2.1) takes a pooled one, and is asked again
 * if that was closed.
 *
 * @param original what the fetch is about; its credentials are for the origin of its target only
 * @param target where it leads by now
 * @param cookies that redirects have set
 * @param limits how often is retried, and the longest wait before it
 * @param form how the question is put
 * @param redirects followed so far
 * @param retries made so far
 * @param delay to wait before sending
 * @param isOnFreshConnection whether pooled connections are avoided
 */
record NextAttempt(
    UpstreamRequest original,
    Target target,
    SetCookies cookies,
    ResumeConfig limits,
    Form form,
    int redirects,
    int retries,
    Duration delay,
    boolean isOnFreshConnection) {
  private static final Duration RETRY_DELAY = Duration.ofMillis(200);
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final Set<Integer> BUSY = Set.of(502, 503, 504);
  private static final Set<Integer> HEAD_NOT_SERVED = Set.of(400, 403, 405, 501);
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
  private static final List<String> OF_ONE_ORIGIN =
      List.of("Authorization", "Cookie", "Proxy-Authorization", "Host");

  /** How the question is put. */
  enum Form {
    /** With the {@code Range} of the request. */
    RANGE,
    /** The whole body is wanted: {@code bytes=0-}. */
    FROM_ZERO,
    /** The whole body is wanted, without any {@code Range}. */
    PLAIN,
    /** Only headers are wanted, but HEAD is not served: GET {@code bytes=0-0}. */
    FIRST_BYTE,
    /** Only headers are wanted, but neither HEAD nor ranges are served, or a range was asked. */
    GET_FOR_HEADERS,
    /** Somebody else's question, word for word. */
    AS_IT_IS
  }

  /** What an answer means: exactly one is present. */
  record Verdict(
      Optional<UpstreamHead> head,
      Optional<NextAttempt> next,
      Optional<ExchangeException> failure) {
    static Verdict deliver(UpstreamHead head) {
      return new Verdict(Optional.of(head), Optional.empty(), Optional.empty());
    }

    static Verdict goOn(NextAttempt next) {
      return new Verdict(Optional.empty(), Optional.of(next), Optional.empty());
    }

    static Verdict fail(ExchangeException failure) {
      return new Verdict(Optional.empty(), Optional.empty(), Optional.of(failure));
    }
  }

  /**
   * The first attempt.
   *
   * @param source where to ask: the request's target, or another one for the same
   */
  static NextAttempt first(UpstreamRequest request, Target source, ResumeConfig limits) {
    if (request.isForwarded()) {
      return forwarded(request, limits);
    }
    Form form =
        request.manner() == UpstreamRequest.Manner.DOCUMENT
            ? Form.PLAIN
            : request.headers().has("Range") ? Form.RANGE : Form.FROM_ZERO;
    return new NextAttempt(
        request, source, SetCookies.NONE, limits, form, 0, 0, Duration.ZERO, false);
  }

  private static NextAttempt forwarded(UpstreamRequest request, ResumeConfig limits) {
    boolean isRepeatable = SAFE.contains(request.method()) && request.body().isEmpty();
    return new NextAttempt(
        request,
        request.target(),
        SetCookies.NONE,
        limits.withAttempts(0),
        Form.AS_IT_IS,
        0,
        0,
        Duration.ZERO,
        !isRepeatable);
  }

  /** The same, but nothing is retried from here on: somebody else does that. */
  NextAttempt withoutRetries() {
    ResumeConfig none = limits.withAttempts(0);
    return new NextAttempt(
        original, target, cookies, none, form, redirects, retries, delay, isOnFreshConnection);
  }

  /** The request to send. */
  UpstreamRequest request() {
    Headers headers = original.headers();
    if (!target.sameOrigin(original.target())) {
      headers = withCredentialsOfTarget(headers);
    } else if (target.userInfo().isPresent()
        && !target.userInfo().equals(original.target().userInfo())) {
      headers = headers.with("Authorization", basic(target.userInfo().get()));
    }
    Optional<String> cookie = cookies.fieldFor(target, headers.first("Cookie"));
    if (cookie.isPresent()) {
      headers = headers.with("Cookie", cookie.get());
    }
    headers =
        switch (form) {
          case RANGE -> headers;
          case GET_FOR_HEADERS -> headers;
          case AS_IT_IS -> headers;
          case FROM_ZERO -> headers.with("Range", "bytes=0-");
          case FIRST_BYTE -> headers.with("Range", "bytes=0-0");
          case PLAIN -> headers.without("Range");
        };
    if (isOnFreshConnection) {
      headers = headers.with("Connection", "close");
    }
    if (form == Form.AS_IT_IS) {
      return original.withHeaders(headers);
    }
    boolean isGet = form == Form.FIRST_BYTE || form == Form.GET_FOR_HEADERS;
    return new UpstreamRequest(
        isGet ? "GET" : original.method(), target, headers, Optional.empty(), original.manner());
  }

  /** What was meant for the first origin only is left out, its virtual host included. */
  private Headers withCredentialsOfTarget(Headers headers) {
    Headers cleaned = headers;
    for (String name : OF_ONE_ORIGIN) {
      cleaned = cleaned.without(name);
    }
    return target.userInfo().isPresent()
        ? cleaned.with("Authorization", basic(target.userInfo().get()))
        : cleaned;
  }

  /** RFC 7617 §2; a user without a password has an empty one. */
  static String basic(String userInfo) {
    String pair = userInfo.indexOf(':') < 0 ? userInfo + ":" : userInfo;
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  boolean isBodyUnwanted() {
    return isHead();
  }

  private boolean isHead() {
    return original.method().equals("HEAD");
  }

  NextAttempt now() {
    return new NextAttempt(
        original,
        target,
        cookies,
        limits,
        form,
        redirects,
        retries,
        Duration.ZERO,
        isOnFreshConnection);
  }

  private NextAttempt as(Form other) {
    return new NextAttempt(
        original, target, cookies, limits, other, redirects, retries, Duration.ZERO, false);
  }

  private NextAttempt again(Duration wait, boolean isFresh) {
    Duration atMost = wait.compareTo(limits.delay()) < 0 ? wait : limits.delay();
    return new NextAttempt(
        original, target, cookies, limits, form, redirects, retries + 1, atMost, isFresh);
  }

  /** There was no answer. */
  Verdict after(ExchangeException failure) {
    Kind kind = failure instanceof UpstreamException known ? known.kind() : Kind.CANCELLED;
    boolean isClosed = kind == Kind.UPSTREAM_CLOSED;
    if (form == Form.AS_IT_IS && isOnFreshConnection) {
      return Verdict.fail(failure);
    }
    if (isClosed && retries > 0 && isHead() && isHeadAsked()) {
      return Verdict.goOn(headersByGet());
    }
    boolean isStale = isClosed && retries == 0;
    boolean isRetried = retries < limits.attempts() && (isClosed || kind == Kind.CONNECT_FAILED);
    if (isStale || isRetried) {
      return Verdict.goOn(again(isStale ? Duration.ZERO : RETRY_DELAY, isClosed));
    }
    return Verdict.fail(failure);
  }

  /** There was an answer. */
  Verdict after(UpstreamHead head, int maxRedirects) {
    if (form == Form.AS_IT_IS) {
      return Verdict.deliver(head);
    }
    int status = head.status();
    Optional<String> location = head.headers().first("Location").filter(value -> !value.isBlank());
    if (REDIRECTS.contains(status) && location.isPresent()) {
      return redirected(head, location.get(), maxRedirects);
    }
    if (BUSY.contains(status)
        && retries < limits.attempts()
        && !head.headers().has("Retry-After")) {
      return Verdict.goOn(again(RETRY_DELAY.multipliedBy(retries + 1L), false));
    }
    if (isHead() && isHeadAsked() && HEAD_NOT_SERVED.contains(status)) {
      return Verdict.goOn(headersByGet());
    }
    if (form == Form.FROM_ZERO && (status == 416 || isUselessPart(head))) {
      return Verdict.goOn(as(Form.PLAIN));
    }
    if (form == Form.FIRST_BYTE && (status == 416 || isUselessPart(head))) {
      return Verdict.goOn(as(Form.GET_FOR_HEADERS));
    }
    return Verdict.deliver(
        (form == Form.FIRST_BYTE ? asIfForHead(head) : head)
            .withCookies(cookies.and(head.target(), head.headers())));
  }

  private Verdict redirected(UpstreamHead head, String location, int maxRedirects) {
    if (redirects >= maxRedirects) {
      return Verdict.fail(new UpstreamException(Kind.TOO_MANY_REDIRECTS));
    }
    try {
      Target further = target.resolve(location);
      return Verdict.goOn(
          new NextAttempt(
              original,
              further,
              cookies.and(target, head.headers()),
              limits,
              form,
              redirects + 1,
              retries,
              Duration.ZERO,
              false));
    } catch (BadTargetException e) {
      return Verdict.fail(new UpstreamException(Kind.BAD_REDIRECT, e));
    }
  }

  private boolean isHeadAsked() {
    return form == Form.RANGE || form == Form.FROM_ZERO || form == Form.PLAIN;
  }

  private NextAttempt headersByGet() {
    return as(original.headers().has("Range") ? Form.GET_FOR_HEADERS : Form.FIRST_BYTE);
  }

  private static boolean isUselessPart(UpstreamHead head) {
    return head.status() == 206
        && ContentRange.of(head).filter(range -> range.first() == 0).isEmpty();
  }

  /** The answer to {@code bytes=0-0} as it would have been to a HEAD of everything. */
  private static UpstreamHead asIfForHead(UpstreamHead head) {
    if (head.status() != 206) {
      return head;
    }
    Headers headers = head.headers().without("Content-Length");
    ContentRange range = ContentRange.of(head).orElseThrow();
    if (range.total().isPresent()) {
      long total = range.total().getAsLong();
      headers =
          headers
              .with("Content-Range", "bytes 0-" + (total - 1) + "/" + total)
              .with("Content-Length", Long.toString(total));
    }
    return new UpstreamHead(206, headers, head.target());
  }
}
