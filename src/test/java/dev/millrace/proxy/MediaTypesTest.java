package dev.millrace.proxy;

import static dev.millrace.proxy.ParametersFixture.parse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stream.ExchangeException;
import dev.millrace.upstream.Headers;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypesTest {
  private static final String PLAIN = "d=http://u.example/x";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "Text/HTML; charset=utf-8",
        "application/xhtml+xml",
        "image/svg+xml",
        "text/xml",
        "application/xml",
        "text/javascript",
        "application/javascript",
        "application/x-javascript",
        "text/ecmascript",
        "text/jscript",
        "text/xsl",
        "application/mathml+xml",
        "application/rss+xml",
        "x/y+xml; charset=utf-8",
        "multipart/x-mixed-replace; boundary=b",
        "Multipart/Related",
        "nonsense",
        "video/mp4, text/html",
        "/",
        "video/",
        "a b/c",
      })
  void relabelsActiveTypes_whoeverSetThem(String type) throws ExchangeException {
    String parameter = type.replace("+", "%2B");

    assertThat(type(PLAIN, type)).hasValue("application/octet-stream");
    assertThat(type(PLAIN + "&r_content-type=" + parameter, "video/mp4"))
        .hasValue("application/octet-stream");
    assertThat(type(PLAIN + "&rp_content-type=" + parameter, "video/mp4"))
        .hasValue("application/octet-stream");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "video/mp4",
        "audio/mpeg",
        "text/vtt; charset=utf-8",
        "application/dash+xml",
        "application/xspf+xml",
        "application/vnd.apple.mpegurl",
        "image/png",
        "text/plain",
        "x/y",
        "application/json",
      })
  void passesKnownTypes(String type) throws ExchangeException {
    assertThat(type("d=http://u.example/x.mkv", type)).hasValue(type);
  }

  @ParameterizedTest
  @CsvSource({
    "d=http://u.example/v.mpd,application/dash+xml",
    "d=http://u.example/v.ttml,application/ttml+xml",
    "d=http://u.example/v.xml,application/octet-stream",
    "d=http://u.example/v.mp4,application/octet-stream",
  })
  void keepsManifestsAndSubtitles_thatAreLabelledAsXml(String query, String expected)
      throws ExchangeException {
    assertThat(type(query, "text/xml")).hasValue(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "'',d=http://u.example/a.mkv?x=y.mp4,video/x-matroska",
    "application/octet-stream,d=http://u.example/a.MKV,video/x-matroska",
    "binary/octet-stream,d=http://u.example/a.ts,video/mp2t",
    "application/octet-stream; x=y,d=http://u.example/a.m4a,audio/mp4",
    "'',d=http://u.example/a.ts&filename=b.webm,video/webm",
    "'',d=http://u.example/a.php,application/octet-stream",
    "'',d=http://u.example.mp4/,application/octet-stream",
    "video/mp4,d=http://u.example/a.mkv&x_headers=content-type,video/x-matroska",
  })
  void repairsType_fromNames(String given, String query, String expected) throws ExchangeException {
    assertThat(type(query, given)).hasValue(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "ts,'',video/mp2t",
    "TS,image/jpeg,video/mp2t",
    "ts,text/plain; charset=utf-8,video/mp2t",
    "ts,application/javascript,video/mp2t",
    "ts,image/svg+xml,video/mp2t",
    "ts,nonsense,video/mp2t",
    "m4s,binary/octet-stream,video/mp4",
    "cmfa,'',audio/mp4",
    "vtt,text/plain,text/vtt",
    "vtt,application/octet-stream,text/vtt",
    "key,text/plain,application/octet-stream",
    "ts,text/vtt; charset=utf-8,text/vtt; charset=utf-8",
    "ts,video/iso.segment,video/iso.segment",
    "key,application/pgp-keys,application/pgp-keys",
    "js,image/png,image/png",
    "js,application/javascript,application/octet-stream",
    "js,'',video/x-matroska",
  })
  void labelsSegments_byEndingOnlyIfTheOriginDoesNot(String ending, String given, String expected)
      throws ExchangeException {
    String query = "d=http://u.example/a.mkv";
    ProxyParameters parameters =
        ProxyParameters.ofSegment(QueryParameters.parse(query), ending, ProxyConfig.defaults());
    UpstreamHead head = head(200, given, query);

    assertThat(MediaTypes.responseType(parameters, head, Optional.empty())).hasValue(expected);
    assertThat(MediaTypes.needsFirstBytes(parameters, RangeRequest.NONE, head)).isFalse();
  }

  @Test
  void labelsSegments_byFirstBytesIfTheirEndingSaysNothing() throws ExchangeException {
    ProxyParameters parameters =
        ProxyParameters.ofSegment(QueryParameters.parse(PLAIN), "php", ProxyConfig.defaults());

    assertThat(MediaTypes.needsFirstBytes(parameters, RangeRequest.NONE, head(200, "", PLAIN)))
        .isTrue();
  }

  @Test
  void prefersNameThatDelivered() throws ExchangeException {
    UpstreamHead head =
        new UpstreamHead(200, Headers.EMPTY, Target.parse("http://cdn.example/b.webm"));

    assertThat(
            MediaTypes.responseType(parse("d=http://u.example/a.mkv", ""), head, Optional.empty()))
        .hasValue("video/webm");
  }

  @Test
  void repairsType_fromFirstBytes() throws ExchangeException {
    ProxyParameters parameters = parse(PLAIN, "");
    UpstreamHead head = head(200, "application/octet-stream", PLAIN);
    ByteBuffer bytes =
        ByteBuffer.wrap("WEBVTT\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));

    assertThat(MediaTypes.responseType(parameters, head, Optional.of(bytes))).hasValue("text/vtt");
    assertThat(bytes.position()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "200,'',d=http://u.example/x,'',true",
    "200,application/octet-stream,d=http://u.example/x,'',true",
    "206,'',d=http://u.example/x,'',true",
    "206,'',d=http://u.example/x,bytes=0-9,true",
    "206,'',d=http://u.example/x,bytes=5-9,false",
    "206,'',d=http://u.example/x,bytes=-9,false",
    "200,'',d=http://u.example/x,bytes=5-9,true",
    "200,video/mp4,d=http://u.example/x,'',false",
    "200,'',d=http://u.example/x.ts,'',false",
    "200,'',d=http://u.example/x&r_content-type=x/y,'',false",
    "200,'',d=http://u.example/x&rp_content-type=x/y,'',false",
    "404,'',d=http://u.example/x,'',false",
  })
  void needsFirstBytes_whenNothingElseTells(
      int status, String type, String query, String range, boolean expected)
      throws ExchangeException {
    assertThat(
            MediaTypes.needsFirstBytes(
                parse(query, ""), ParametersFixture.range(range), head(status, type, query)))
        .isEqualTo(expected);
  }

  private static Optional<String> type(String query, String given) throws ExchangeException {
    return MediaTypes.responseType(parse(query, ""), head(200, given, query), Optional.empty());
  }

  private static UpstreamHead head(int status, String type, String query) throws ExchangeException {
    Headers headers = type.isEmpty() ? Headers.EMPTY : Headers.of("content-type", type);
    return new UpstreamHead(status, headers, parse(query, "").destination());
  }
}
