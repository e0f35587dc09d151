package dev.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Await;
import dev.millrace.testing.BodyEnd;
import dev.millrace.testing.CencEncryptor;
import dev.millrace.testing.CutMovie;
import dev.millrace.testing.ErrorBody;
import dev.millrace.testing.MpdLink;
import dev.millrace.testing.OriginServer;
import dev.millrace.testing.ProtectedMovie;
import dev.millrace.testing.RawAnswer;
import dev.millrace.testing.RunningMillrace;
import dev.millrace.testing.SampleProtector;
import dev.millrace.testing.Script;
import dev.millrace.testing.ToyOrigins;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of clear media, and media that is a range of its origin's file. */
@Timeout(180)
class MpdSegmentRangeIT {
  private static final byte[] CLIP = CutMovie.clip();
  private static final SampleProtector CENC =
      SampleProtector.of("cenc").subsamples(SampleProtector.TWO);
  private static final ProtectedMovie MOVIE = CencEncryptor.of(CENC).encrypt(CLIP);
  private static final String TAG = "ETag: \"v1\"";
  private static final int MEBIBYTE = 1 << 20;

  @AutoClose private static final RunningMillrace PROXY = RunningMillrace.start();

  private final Map<String, Script> files = new ConcurrentHashMap<>();
  private final OriginServer origin =
      OriginServer.start(
          exchange ->
              files
                  .getOrDefault(exchange.request().path(), ToyOrigins.status(404))
                  .answer(exchange));

  MpdSegmentRangeIT() {
    serve(MOVIE);
  }

  private void serve(ProtectedMovie movie) {
    files.put("/init", exchange -> exchange.bytes(200, movie.init(), TAG));
    files.put("/all", exchange -> exchange.bytes(200, movie.media(), TAG));
  }

  @AfterEach
  void stopOrigin() {
    origin.close();
  }

  /** With the initialization segment before it. */
  private MpdLink link(String path) {
    return MpdLink.segment(origin.url(path)).with("init_url", origin.url("/init")).key(CENC);
  }

  private MpdLink mapped(String path) {
    return link(path).with("use_map", "true");
  }

  private static RawAnswer get(MpdLink link, String... fields) throws IOException {
    return PROXY.fetch("GET", link.toString(), fields);
  }

  static Stream<SampleProtector> schemes() {
    return Stream.of("cenc", "cens", "cbc1", "cbcs")
        .map(SampleProtector::of)
        .map(protector -> protector.subsamples(SampleProtector.TWO));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void isASliceOfTheWhole_inThreeHundredRanges(SampleProtector scheme) throws IOException {
    serve(CencEncryptor.of(scheme).encrypt(CLIP));
    byte[] whole = get(link("/all")).bytes();
    Random random = new Random(51);
    for (int i = 0; i < 300; i++) {
      int first = random.nextInt(whole.length);
      int last = first + random.nextInt(whole.length - first);
      RawAnswer answer = get(link("/all"), "Range: bytes=" + first + "-" + last);
      assertThat(answer.status()).isEqualTo(206);
      assertThat(answer.field("Content-Range"))
          .contains("bytes " + first + "-" + last + "/" + whole.length);
      assertThat(answer.bytes()).isEqualTo(Arrays.copyOfRange(whole, first, last + 1));
    }
    assertThat(origin.requests())
        .allMatch(request -> request.field("Range").orElse("bytes=0-").equals("bytes=0-"));
  }

  @Test
  void answersEveryFormOfOneRange() throws IOException {
    byte[] whole = get(link("/all")).bytes();
    int size = whole.length;
    int init = MOVIE.init().length;
    for (int[] range :
        new int[][] {
          {0, 0}, {10, init + 10}, {init, init + 7}, {init + 20, init + 30}, {size - 1, size - 1}
        }) {
      RawAnswer answer = get(link("/all"), "Range: bytes=" + range[0] + "-" + range[1]);
      assertThat(answer.bytes()).isEqualTo(Arrays.copyOfRange(whole, range[0], range[1] + 1));
    }
    assertThat(get(link("/all"), "Range: bytes=-100").bytes())
        .isEqualTo(Arrays.copyOfRange(whole, size - 100, size));
    assertThat(get(link("/all"), "Range: bytes=-" + (2 * size)).bytes()).isEqualTo(whole);
    assertThat(get(link("/all"), "Range: bytes=" + (size - 5) + "-").bytes())
        .isEqualTo(Arrays.copyOfRange(whole, size - 5, size));
    assertThat(get(link("/all"), "Range: bytes=5-99999999").bytes())
        .isEqualTo(Arrays.copyOfRange(whole, 5, size));
  }

  @Test
  void answersRangesOfInits() throws IOException {
    MpdLink link = MpdLink.init(origin.url("/init")).key(CENC);
    byte[] whole = get(link).bytes();
    RawAnswer answer = get(link, "Range: bytes=20-99");
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.bytes()).isEqualTo(Arrays.copyOfRange(whole, 20, 100));
    assertThat(get(link, "Range: bytes=" + whole.length + "-").status()).isEqualTo(416);
    assertThat(origin.requests())
        .allMatch(request -> request.field("Range").orElse("").equals("bytes=0-"));
  }

  @Test
  void answers416_beyondTheEnd() throws IOException {
    int size = MOVIE.media().length;
    for (String range : List.of(size + "-", "-0", size + 5 + "-" + (size + 9))) {
      RawAnswer answer = get(mapped("/all"), "Range: bytes=" + range);
      assertThat(answer.status()).isEqualTo(416);
      assertThat(answer.field("Content-Range")).contains("bytes */" + size);
    }
    assertThat(get(mapped("/all"), "Range: bytes=x").status()).isEqualTo(416);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=0-1,5-9", "items=0-1", ""})
  void answersAll_whereThereIsNotOneRange(String range) throws IOException {
    RawAnswer answer = get(mapped("/all"), "Range: " + range);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.bytes()).hasSameSizeAs(MOVIE.media());
    assertThat(answer.field("Accept-Ranges")).contains("bytes");
  }

  @Test
  void answersAll_whereTheLengthIsNotKnown() throws IOException {
    files.put(
        "/all",
        exchange -> {
          exchange.head(200, "Transfer-Encoding: chunked");
          exchange.chunk(MOVIE.media());
          exchange.lastChunk();
        });
    RawAnswer answer = get(mapped("/all"), "Range: bytes=0-1");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Accept-Ranges")).contains("none");
    assertThat(answer.bytes()).hasSameSizeAs(MOVIE.media());
  }

  @Test
  void tagsWhatTheBytesDependOn() throws IOException {
    String tag = get(mapped("/all")).field("ETag").orElseThrow();
    assertThat(tag).matches("\"[0-9a-f]{32}\"");
    assertThat(get(mapped("/all")).field("ETag")).contains(tag);
    assertThat(get(link("/all")).field("ETag")).isPresent().get().isNotEqualTo(tag);
    assertThat(get(mapped("/all").with("shift", "1/1")).field("ETag"))
        .isPresent()
        .get()
        .isNotEqualTo(tag);
    assertThat(get(mapped("/all").with("key", "11".repeat(16))).field("ETag"))
        .isPresent()
        .get()
        .isNotEqualTo(tag);
  }

  @Test
  void servesTheRange_onlyIfItIsOfTheSame() throws IOException {
    String tag = get(mapped("/all")).field("ETag").orElseThrow();
    assertThat(get(mapped("/all"), "Range: bytes=0-9", "If-Range: " + tag).status()).isEqualTo(206);
    assertThat(get(mapped("/all"), "Range: bytes=0-9", "If-Range: \"v1\"").status()).isEqualTo(200);
    assertThat(
            get(mapped("/all"), "Range: bytes=0-9", "If-Range: Wed, 21 Oct 2015 07:28:00 GMT")
                .status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ETag: W/\"v1\"", "Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT"})
  void hasAWeakTag_whereTheOriginHasNoStrongOne(String field) throws IOException {
    files.put("/all", exchange -> exchange.bytes(200, MOVIE.media(), field));
    String tag = get(mapped("/all")).field("ETag").orElseThrow();
    assertThat(tag).startsWith("W/\"");
    assertThat(get(mapped("/all"), "Range: bytes=0-9").status()).isEqualTo(206);
    assertThat(get(mapped("/all"), "Range: bytes=0-9", "If-Range: " + tag).status()).isEqualTo(200);
  }

  @Test
  void hasNoTag_whereTheOriginHasNone() throws IOException {
    files.put("/all", exchange -> exchange.bytes(200, MOVIE.media()));
    assertThat(get(mapped("/all")).field("ETag")).isEmpty();
  }

  /** Only so much is sent as the connections on the way can hold. */
  @Test
  void stopsTheOriginBehindTheRange() throws IOException {
    byte[] first = MOVIE.fragments().get(0);
    AtomicLong sent = new AtomicLong();
    long announced = 512L << 20;
    files.put(
        "/long",
        exchange -> {
          exchange.head(200, "Content-Length: " + announced);
          exchange.write(first);
          byte[] free = free(MEBIBYTE);
          for (long at = first.length; at + free.length <= announced; at += free.length) {
            exchange.write(free);
            sent.addAndGet(free.length);
          }
        });
    RawAnswer answer = get(mapped("/long"), "Range: bytes=0-999");
    assertThat(answer.bytes()).hasSize(1_000);
    Await.until("stopped", Duration.ofSeconds(8), () -> origin.requestsInProgress() == 0);
    assertThat(sent.get()).isLessThan(64L << 20);
  }

  private static byte[] free(int size) {
    byte[] box = new byte[size];
    java.nio.ByteBuffer.wrap(box).putInt(size).putInt(0x66726565);
    return box;
  }

  /** As a file with an index is served: everything is a range of it. */
  private byte[] oneFile(int before) {
    byte[] file = CutMovie.joined(MOVIE.init(), free(before), MOVIE.media());
    files.put("/file", ToyOrigins.content(file, "video/mp4"));
    files.put("/noranges", exchange -> exchange.bytes(200, file, "Content-Type: video/mp4", TAG));
    return file;
  }

  private MpdLink inFile(String path, int before, int fragment) {
    int start = MOVIE.init().length + before;
    for (int i = 0; i < fragment; i++) {
      start += MOVIE.fragments().get(i).length;
    }
    int end = start + MOVIE.fragments().get(fragment).length - 1;
    return MpdLink.segment(origin.url(path))
        .key(CENC)
        .with("use_map", "true")
        .with("init_url", origin.url(path))
        .with("init_range", "0-" + (MOVIE.init().length - 1))
        .with("segment_range", start + "-" + end);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/file", "/noranges"})
  void deliversPartsOfAFile(String path) throws IOException {
    oneFile(1_000);
    for (int i = 0; i < 5; i++) {
      RawAnswer answer = get(inFile(path, 1_000, i));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("Content-Range")).isEmpty();
      assertThat(answer.field("Content-Length"))
          .contains(String.valueOf(MOVIE.fragments().get(i).length));
      assertThat(ProtectedMovie.payloads(answer.bytes()))
          .containsExactly(MOVIE.clearPayloads().get(i));
    }
    RawAnswer part = get(inFile(path, 1_000, 2), "Range: bytes=100-199");
    assertThat(part.bytes())
        .isEqualTo(Arrays.copyOfRange(get(inFile(path, 1_000, 2)).bytes(), 100, 200));
    assertThat(origin.requests()).noneMatch(r -> r.field("Range").orElse("").contains("100-199"));
  }

  @Test
  void deliversTheRestOfAFile() throws IOException {
    oneFile(8);
    MpdLink rest = inFile("/file", 8, 3).with("segment_range", rangeFrom(8, 3));
    assertThat(ProtectedMovie.payloads(get(rest).bytes()))
        .containsExactly(MOVIE.clearPayloads().get(3), MOVIE.clearPayloads().get(4));
  }

  private static String rangeFrom(int before, int fragment) {
    int start = MOVIE.init().length + before;
    for (int i = 0; i < fragment; i++) {
      start += MOVIE.fragments().get(i).length;
    }
    return start + "-";
  }

  @ParameterizedTest
  @CsvSource({"0,200", "1,502"})
  void skipsAMebibyteAtMost_whereTheOriginKnowsNoRanges(int more, int status) throws IOException {
    int before = MEBIBYTE - MOVIE.init().length + more;
    oneFile(before);
    RawAnswer answer = get(inFile("/noranges", before, 0));
    assertThat(answer.status()).isEqualTo(status);
    if (status == 502) {
      assertThat(ErrorBody.of(answer).reason()).isEqualTo("bad_range");
    }
  }

  @ParameterizedTest
  @CsvSource({"bytes 0-9/100000", "bytes 2479-2500/100000", "bytes 1-2/*", "items 4-5/9"})
  void answers502_whenAnotherPartComes(String sent) throws IOException {
    files.put("/other", exchange -> exchange.bytes(206, new byte[10], "Content-Range: " + sent));
    RawAnswer answer = get(mapped("/other").with("segment_range", "2479-9999"));
    assertThat(answer.status()).isEqualTo(502);
    RawAnswer init =
        get(MpdLink.init(origin.url("/other")).with("init_range", "2479-9999").key(CENC));
    assertThat(init.status()).isEqualTo(502);
  }

  @Test
  void takesAPartThatEndsWithItsFile() throws IOException {
    oneFile(8);
    MpdLink link = inFile("/file", 8, 4).with("segment_range", rangeFrom(8, 4) + "99999999");
    RawAnswer answer = get(link);
    assertThat(answer.end()).isEqualTo(BodyEnd.COMPLETE);
    assertThat(ProtectedMovie.payloads(answer.bytes()))
        .containsExactly(MOVIE.clearPayloads().get(4));
  }

  @Test
  void neverPassesOnTheRangeOfThePlayer() throws IOException {
    oneFile(8);
    get(inFile("/file", 8, 0), "Range: bytes=5-6", "If-Range: \"x\"");
    assertThat(origin.requests())
        .hasSize(2)
        .noneMatch(r -> r.field("If-Range").isPresent())
        .noneMatch(r -> r.field("Range").orElse("").equals("bytes=5-6"));
  }
}
