package dev.millrace.servlet;

import static dev.millrace.servlet.JsonFields.Kind.INTEGER;
import static dev.millrace.servlet.JsonFields.Kind.LIST;
import static dev.millrace.servlet.JsonFields.Kind.MAP;
import static dev.millrace.servlet.JsonFields.Kind.OBJECTS;
import static dev.millrace.servlet.JsonFields.Kind.SWITCH;
import static dev.millrace.servlet.JsonFields.Kind.TEXT;

import dev.millrace.link.LinkBuilder;
import dev.millrace.link.LinkRequest;
import dev.millrace.proxy.Endpoint;
import dev.millrace.proxy.Endpoint.Match;
import dev.millrace.proxy.ProxyParameters;
import dev.millrace.proxy.PublicAddress;
import dev.millrace.proxy.QueryParameters;
import dev.millrace.proxy.ValidationException;
import dev.millrace.servlet.JsonFields.Kind;
import dev.millrace.servlet.JsonFields.Shape;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.PublicIpConfig;
import dev.millrace.upstream.Target;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which links a client wants, checked: the JSON of contract §6.
 *
 * @param password that the links are to be sealed for; a secret
 * @param links in the order of the request
 */
record LinkForm(Optional<String> password, List<Wanted> links) {
  /** Of one link. */
  static final int MAX_PARAMETERS = QueryParameters.MAX_PARAMETERS;

  static final int MAX_BASE_LENGTH = 2_048;

  private static final String BASE = "mediaflow_proxy_url";
  private static final String PASSWORD = "api_password";
  private static final String ENDPOINT = "endpoint";
  private static final String FILENAME = "filename";
  private static final String EXPIRATION = "expiration";
  private static final String ADDRESS = "ip";
  private static final String URLS = "urls";
  private static final String BASE64 = "base64_encode_destination";
  private static final String VALUE = "value_error";

  private static final Map<String, Kind> LINK =
      Map.of(
          ENDPOINT,
          TEXT,
          "destination_url",
          TEXT,
          "query_params",
          MAP,
          "request_headers",
          MAP,
          "response_headers",
          MAP,
          "propagate_response_headers",
          MAP,
          "remove_response_headers",
          LIST,
          FILENAME,
          TEXT);
  private static final Map<String, Kind> COMMON =
      Map.of(BASE, TEXT, PASSWORD, TEXT, EXPIRATION, INTEGER, ADDRESS, TEXT);
  private static final Shape ONE =
      new Shape(both(both(LINK, COMMON), Map.of(BASE64, SWITCH)), Map.of());
  private static final Shape MANY = new Shape(both(COMMON, Map.of(URLS, OBJECTS)), LINK);

  /**
   * One link.
   *
   * @param place where the request says so: {@link ValidationException#loc}
   * @param routeFamily the routes that it is for; absent if it names none, and is left to be
   *     completed
   */
  record Wanted(LinkRequest request, List<Object> place, Optional<String> routeFamily) {}

  LinkForm {
    links = List.copyOf(links);
  }

  private static Map<String, Kind> both(Map<String, Kind> some, Map<String, Kind> others) {
    Map<String, Kind> all = new HashMap<>(some);
    all.putAll(others);
    return Map.copyOf(all);
  }

  /**
   * The form of a single link.
   *
   * @param own address of this server, for links without a base
   * @throws ValidationException (422) naming the property that cannot be used
   */
  static LinkForm one(String json, PublicAddress own) throws ValidationException {
    JsonFields form = JsonFields.parse(json, ONE);
    return new LinkForm(form.text(PASSWORD), List.of(wanted(form, form, base(form, own))));
  }

  /** The form of many links that have base, password, expiry and address in common. */
  static LinkForm many(String json, PublicAddress own) throws ValidationException {
    JsonFields form = JsonFields.parse(json, MANY);
    String base = base(form, own);
    if (!form.has(URLS)) {
      throw ValidationException.missingInBody(form.place(URLS));
    }
    List<Wanted> links = new ArrayList<>();
    for (JsonFields item : form.objects(URLS)) {
      links.add(wanted(form, item, base));
    }
    return new LinkForm(form.text(PASSWORD), links);
  }

  /** The base of the links as a client reaches it; that of this server if it is null or empty. */
  private static String base(JsonFields form, PublicAddress own) throws ValidationException {
    if (!form.mentions(BASE)) {
      throw ValidationException.missingInBody(form.place(BASE));
    }
    String base = form.text(BASE).map(String::strip).filter(b -> !b.isEmpty()).orElse(own.url(""));
    if (base.length() > MAX_BASE_LENGTH) {
      throw refused(form, BASE, "URL should have at most " + MAX_BASE_LENGTH + " characters");
    }
    try {
      if (Target.parse(base).userInfo().isPresent()) {
        throw refused(form, BASE, "URL should have no user and no password");
      }
    } catch (BadTargetException e) {
      throw refused(form, BASE, "URL should begin with http:// or https:// and a host");
    }
    return base;
  }

  private static ValidationException refused(JsonFields fields, String name, String msg) {
    return ValidationException.inBody(VALUE, fields.place(name), name + ": " + msg);
  }

  private static Wanted wanted(JsonFields form, JsonFields link, String base)
      throws ValidationException {
    LinkRequest request =
        new LinkRequest(
            base,
            link.text(ENDPOINT),
            link.text("destination_url"),
            link.map("query_params"),
            link.map("request_headers"),
            link.map("response_headers"),
            link.map("propagate_response_headers"),
            link.list("remove_response_headers"),
            filename(link),
            form.isOn(BASE64),
            lifetime(form),
            address(form));
    checkCount(request, link);
    return new Wanted(request, link.place(ENDPOINT), routeFamily(request, form, link));
  }

  private static Optional<String> filename(JsonFields link) throws ValidationException {
    Optional<String> name = link.text(FILENAME);
    int length = name.orElse("").getBytes(StandardCharsets.UTF_8).length;
    if (length > ProxyParameters.MAX_FILENAME_BYTES) {
      throw refused(
          link,
          FILENAME,
          "should have at most " + ProxyParameters.MAX_FILENAME_BYTES + " bytes in UTF-8");
    }
    return name;
  }

  /** Of a sealed link; in others it means nothing, whatever it is. */
  private static Optional<Duration> lifetime(JsonFields form) throws ValidationException {
    OptionalLong seconds = form.integer(EXPIRATION);
    if (seconds.isEmpty() || form.text(PASSWORD).isEmpty()) {
      return Optional.empty();
    }
    if (seconds.getAsLong() < 1 || seconds.getAsLong() > LinkBuilder.MAX_LIFETIME.toSeconds()) {
      throw refused(
          form,
          EXPIRATION,
          "should be 1 to " + LinkBuilder.MAX_LIFETIME.toSeconds() + " seconds from now");
    }
    return Optional.of(Duration.ofSeconds(seconds.getAsLong()));
  }

  private static Optional<String> address(JsonFields form) throws ValidationException {
    Optional<String> address = form.text(ADDRESS).map(String::strip);
    try {
      address.ifPresent(PublicIpConfig::checkedAddress);
    } catch (IllegalArgumentException e) {
      throw ValidationException.inBody(
          "ip_any_address", form.place(ADDRESS), "value is not a valid IPv4 or IPv6 address");
    }
    return address.filter(any -> form.text(PASSWORD).isPresent());
  }

  private static void checkCount(LinkRequest request, JsonFields link) throws ValidationException {
    int count =
        request.queryParameters().size()
            + request.requestHeaders().size()
            + request.responseHeaders().size()
            + request.inheritedHeaders().size()
            + (request.droppedHeaders().isEmpty() ? 0 : 1)
            + (request.destination().isPresent() ? 1 : 0);
    if (count > MAX_PARAMETERS) {
      throw refused(
          link,
          "query_params",
          "a link should have at most " + MAX_PARAMETERS + " parameters, headers included");
    }
  }

  private static Optional<String> routeFamily(LinkRequest request, JsonFields form, JsonFields link)
      throws ValidationException {
    Optional<Endpoint> route = Endpoint.match(path(request, form, link)).map(Match::endpoint);
    if (route.filter(Endpoint::isForOperators).isPresent()) {
      throw refused(link, ENDPOINT, "no link leads to what is meant for operators");
    }
    if (route.isEmpty() && form.text(PASSWORD).isPresent()) {
      throw refused(link, ENDPOINT, "no route of this server (expected: such as /proxy/stream)");
    }
    return route.filter(endpoint -> endpoint != Endpoint.HOME).map(Endpoint::label);
  }

  private static String path(LinkRequest request, JsonFields form, JsonFields link)
      throws ValidationException {
    try {
      return LinkBuilder.routePath(request);
    } catch (IllegalArgumentException e) { // says which of the two, and nothing of the link
      String msg = String.valueOf(e.getMessage());
      throw ValidationException.inBody(
          VALUE, msg.startsWith(BASE) ? form.place(BASE) : link.place(ENDPOINT), msg);
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "LinkForm[" + links.size() + "]";
  }
}
