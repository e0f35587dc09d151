package dev.millrace.servlet;

import dev.millrace.dash.IndexEntry;
import dev.millrace.dash.MediaPlaylist;
import dev.millrace.dash.MediaPlaylistOptions;
import dev.millrace.dash.Mpd;
import dev.millrace.dash.MpdReader;
import dev.millrace.dash.MultivariantPlaylist;
import dev.millrace.dash.Presentation;
import dev.millrace.dash.Profile;
import dev.millrace.dash.Representation;
import dev.millrace.hls.PlaylistText;
import dev.millrace.hls.SkippedRanges;
import dev.millrace.proxy.DashLinks;
import dev.millrace.proxy.DashParameters;
import dev.millrace.proxy.ManifestPlanner;
import dev.millrace.proxy.PresentationKeys;
import dev.millrace.proxy.ProfileNotFoundException;
import dev.millrace.stream.ExchangeException;
import dev.millrace.stream.MediaFormatException;
import dev.millrace.upstream.BadTargetException;
import dev.millrace.upstream.FetchRequest;
import dev.millrace.upstream.Target;
import dev.millrace.upstream.UpstreamHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Answers with a playlist of a presentation, once all of its MPD is here. Before a media playlist
 * is written, what time it is has to be known, if the presentation is live, and the segment indexes
 * of its profile; both are fetched by {@link PresentationClock} and {@link IndexReading}.
 */
final class MpdAnswer implements CollectedText.Listener {
  /** What would take more could never be served. */
  private static final int MOST_BYTES = 16 << 20;

  private static final long INDEX_ENTRY_BYTES = 64;

  private final DashServices services;
  private final RouteRequest request;
  private final DashParameters parameters;
  private final FetchRequest asked;
  private final UpstreamHead head;
  private final TextHold texts;
  private final Errand.Reply reply;
  private final AtomicBoolean isAnswered = new AtomicBoolean();
  private volatile @Nullable Runnable stop;

  /** By whoever has the turn; one step follows another. */
  private volatile long reservedBytes;

  /**
   * @param asked what the MPD was asked for with
   * @param head of its answer
   * @param texts the memory that the playlist takes, too
   */
  MpdAnswer(
      DashServices services,
      RouteRequest request,
      DashParameters parameters,
      FetchRequest asked,
      UpstreamHead head,
      TextHold texts,
      Errand.Reply reply) {
    this.services = services;
    this.request = request;
    this.parameters = parameters;
    this.asked = asked;
    this.head = head;
    this.texts = texts;
    this.reply = reply;
  }

  @Override
  public void collected(PlaylistText text) {
    attempt(() -> read(text));
  }

  @Override
  public void failed(Throwable failure) {
    if (isAnswered.compareAndSet(false, true)) {
      reply.fail(failure);
    }
  }

  /** What is being fetched is not wanted any more. Any thread. */
  void cancel(ExchangeException cause) {
    failed(cause);
    Runnable running = stop;
    if (running != null) {
      running.run();
    }
  }

  /** Something that may fail; thrown on, that would be lost. */
  @FunctionalInterface
  private interface Step {
    void run() throws ExchangeException;
  }

  private void attempt(Step step) {
    try {
      step.run();
    } catch (ExchangeException | RuntimeException e) {
      failed(e);
    }
  }

  private void read(PlaylistText text) throws ExchangeException {
    reserve(mostBytes(text));
    Mpd mpd = MpdReader.read(text.stream(), head.target().url());
    services.hls().cache().keepFor(asked, MpdAge.mostFor(mpd));
    remember(mpd);
    PresentationKeys.check(mpd, parameters.keys().ring());
    if (parameters.profileId().isEmpty()) {
      DashLinks links = services.links(parameters, request, head);
      String playlist =
          MultivariantPlaylist.text(
              mpd, parameters.height(), parameters.isTransportStream(), links);
      respond(
          (out, enough) -> {
            out.append(playlist);
            return false;
          },
          mpd,
          links);
      return;
    }
    Profile profile =
        Profile.find(mpd, parameters.profileId().get()).orElseThrow(ProfileNotFoundException::new);
    if (mpd.isDynamic()) {
      run(
          services
              .clock()
              .read(
                  mpd,
                  asked.first(),
                  head,
                  parameters.stream(),
                  now -> attempt(() -> index(mpd, profile, now))));
    } else {
      index(mpd, profile, Instant.EPOCH);
    }
  }

  private static long mostBytes(PlaylistText text) {
    try {
      return text.length() + MpdReader.mostBytes(text.stream());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of memory: there is none
    }
  }

  /** On top of what is reserved for it already. */
  private void reserve(long moreBytes) throws ExchangeException {
    long total = reservedBytes + moreBytes;
    reservedBytes = total;
    if (total > MOST_BYTES) {
      throw MediaFormatException.unsupported(
          "The presentation takes more memory than "
              + (MOST_BYTES >> 20)
              + " MiB: it has too many elements or segments.");
    }
    texts.reserve((int) total);
  }

  private void remember(Mpd mpd) {
    Optional<String> location = mpd.locations().stream().findFirst();
    if (location.isPresent()) {
      try {
        Target next = head.target().resolve(location.get());
        if (!next.equals(asked.first().target())) {
          services.known().moved(asked.first(), next);
        }
      } catch (BadTargetException unreachable) {
        // it is asked for where it was found
      }
    }
  }

  /** From here on there is something to cancel. */
  private void run(Runnable cancelling) {
    stop = cancelling;
    if (isAnswered.get()) {
      cancelling.run();
    }
  }

  private void index(Mpd mpd, Profile profile, Instant now) throws ExchangeException {
    List<Representation> indexed = profile.indexed();
    if (indexed.isEmpty()) {
      write(mpd, profile, now, Map.of());
      return;
    }
    IndexReading reading =
        new IndexReading(
            services.hls(),
            head.target(),
            file -> parameters.to(file, head),
            indexed,
            new IndexReading.Listener() {
              @Override
              public void read(Map<Representation, List<IndexEntry>> indexes) {
                attempt(() -> write(mpd, profile, now, indexes));
              }

              @Override
              public void failed(Throwable failure) {
                MpdAnswer.this.failed(failure);
              }
            });
    run(reading::cancel);
    reading.begin();
  }

  private void write(
      Mpd mpd, Profile profile, Instant now, Map<Representation, List<IndexEntry>> indexes)
      throws ExchangeException {
    reserve(indexes.values().stream().mapToLong(List::size).sum() * INDEX_ENTRY_BYTES);
    DashLinks links = services.links(parameters, request, head);
    Presentation presentation =
        new Presentation(mpd, now, found -> indexes.getOrDefault(found, List.of()));
    MediaPlaylist playlist =
        MediaPlaylist.of(presentation, profile, options(), links, services.sequences());
    reserve(playlist.heldBytes());
    respond(playlist::write, mpd, links);
  }

  private MediaPlaylistOptions options() {
    double liveStart = services.hls().config().liveStartSeconds().orElse(0.0);
    return new MediaPlaylistOptions(
        asked.first().target().url() + " " + parameters.query().value("skip").orElse(""),
        parameters.startOffset().map(OptionalDouble::of).orElse(OptionalDouble.empty()),
        Math.max(0, -liveStart),
        MediaPlaylistOptions.LIVE_DEPTH,
        parameters.skip().orElse(SkippedRanges.NONE),
        parameters.isTransportStream());
  }

  private void respond(PlaylistBody.Writing playlist, Mpd mpd, DashLinks links) {
    PlaylistBody body = PlaylistBody.of(playlist, () -> {});
    if (isAnswered.compareAndSet(false, true)) {
      reply.respond(
          ManifestPlanner.playlist(
              parameters.stream(), links.holdSecrets(), mpd.isDynamic(), body.length()),
          request.isHead() ? PlaylistAnswer.nothing() : body);
    }
  }
}
