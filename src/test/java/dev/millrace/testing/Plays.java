package dev.millrace.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/**
 * Plays that run side by side while tests wait for theirs: some commands at a time, and one page.
 *
 * @param <P> names a play; its text is of letters, digits and hyphens
 */
public final class Plays<P> implements AutoCloseable {
  private final ExecutorService commands;
  private final ExecutorService pages = Executors.newSingleThreadExecutor();
  private final Map<P, CompletableFuture<Playback>> all = new ConcurrentHashMap<>();

  /**
   * @param atOnce how many commands run at a time
   */
  public Plays(int atOnce) {
    commands = Executors.newFixedThreadPool(atOnce);
  }

  public void command(P play, Supplier<Playback> run) {
    all.put(play, CompletableFuture.supplyAsync(run, commands));
  }

  /** One page plays all of these at once; another one waits until it is done. */
  public void page(
      BrowserPlayer player,
      Path directory,
      Duration atMost,
      List<P> plays,
      Function<P, BrowserPlayer.Programme> programme) {
    List<BrowserPlayer.Programme> programmes = new ArrayList<>();
    plays.forEach(play -> programmes.add(programme.apply(play)));
    CompletableFuture<Map<String, Playback>> page =
        CompletableFuture.supplyAsync(() -> player.play(directory, atMost, programmes), pages);
    for (int i = 0; i < programmes.size(); i++) {
      String name = programmes.get(i).name();
      all.put(plays.get(i), page.thenApply(reports -> reports.get(name)));
    }
  }

  /** Waits for it. */
  public Playback of(P play) throws Exception {
    try {
      return all.get(play).get(8, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TestAbortedException notInstalled) {
        throw notInstalled;
      }
      throw e;
    }
  }

  /** Waits for all, whether they went well or not. */
  public void await() {
    all.values().forEach(play -> play.handle((playback, failure) -> play.isDone()).join());
  }

  @Override
  public void close() {
    commands.shutdownNow();
    pages.shutdownNow();
  }
}
