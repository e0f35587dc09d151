package dev.millrace.testing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Protects a clear fragmented movie as ISO/IEC 23001-7 says. Reads well-made files only, with
 * offsets that count from the moof; leaves out {@code sidx}, whose sizes would be others.
 */
public final class CencEncryptor {
  /** Where the vectors and subsamples of the samples stand. */
  public enum Aux {
    SENC,
    /** In a {@code free} box of the fragment, found by {@code saiz} and {@code saio}. */
    SAIO,
    /** In {@code senc}, and {@code saio} leads there. */
    BOTH,
    /** In PIFF's extended {@code uuid} box. */
    PIFF,
    /** Nowhere. */
    NONE
  }

  /** How the first fragments say that they are clear. */
  public enum Lead {
    /** They say nothing of protection. */
    BARE,
    /** Their samples are of another sample entry. */
    ENTRY,
    /** Their samples are in a group that is not protected. */
    GROUP
  }

  private final SampleProtector all;
  private final Map<Integer, SampleProtector> tracks = new HashMap<>();
  private List<SampleProtector> rotation = List.of();
  private Aux aux = Aux.SENC;
  private Lead lead = Lead.BARE;
  private int leadFragments;
  private int saioVersion;
  private boolean saioPerRun;
  private boolean isPiff;
  private boolean alwaysCounts;

  private CencEncryptor(SampleProtector all) {
    this.all = all;
  }

  /** All tracks by this one. */
  public static CencEncryptor of(SampleProtector protector) {
    return new CencEncryptor(protector);
  }

  /** A track by another one. */
  public CencEncryptor track(int id, SampleProtector protector) {
    tracks.put(id, protector);
    return this;
  }

  /** Fragments by these in turns, whatever the track; the init names what all began with. */
  public CencEncryptor rotating(SampleProtector... protectors) {
    rotation = List.of(protectors);
    return this;
  }

  public CencEncryptor aux(Aux place) {
    aux = place;
    return this;
  }

  public CencEncryptor saio(int version, boolean isPerRun) {
    saioVersion = version;
    saioPerRun = isPerRun;
    return this;
  }

  public CencEncryptor lead(Lead form, int fragments) {
    lead = form;
    leadFragments = fragments;
    return this;
  }

  /** Scheme {@code piff}, and the defaults in PIFF's box. */
  public CencEncryptor piff() {
    isPiff = true;
    aux = Aux.PIFF;
    return this;
  }

  /** Entries say how many subsamples there are even if it is none. */
  public CencEncryptor alwaysCounting() {
    alwaysCounts = true;
    return this;
  }

  public ProtectedMovie encrypt(byte[] clear) {
    byte[] samples = clear.clone();
    Map<Integer, Integer> counts = new HashMap<>();
    List<byte[]> init = new ArrayList<>();
    List<byte[]> fragments = new ArrayList<>();
    List<byte[]> current = init;
    MovieBox movie = MovieBox.of("moov");
    for (MovieBox box : MovieBox.read(clear)) {
      switch (box.type()) {
        case "moov" -> {
          movie = MovieBox.read(box.bytes()).get(0);
          init.add(protectedMovie(box));
          current = new ArrayList<>();
        }
        case "moof" -> {
          new Fragment(movie, fragments.size(), samples, counts).protect(box);
          current.add(box.bytes());
        }
        case "mdat" -> {
          ByteBuffer.wrap(samples).position(box.start() + 8).get(box.content());
          current.add(box.bytes());
          fragments.add(MovieBox.joined(current));
          current = new ArrayList<>();
        }
        case "sidx" -> {
          // its sizes would be wrong
        }
        default -> current.add(box.bytes());
      }
    }
    return new ProtectedMovie(MovieBox.joined(init), fragments, clear);
  }

  private SampleProtector protector(int track) {
    return tracks.getOrDefault(track, all);
  }

  private byte[] protectedMovie(MovieBox movie) {
    for (MovieBox track : movie.children("trak")) {
      int id = ByteBuffer.wrap(track.at("tkhd").content()).getInt(12);
      byte[] handler = track.at("mdia", "hdlr").content();
      MovieBox entries = track.at("mdia", "minf", "stbl", "stsd");
      String type =
          switch ((char) handler[8]) {
            case 'v' -> "encv";
            case 's' -> handler[9] == 'o' ? "enca" : "enct";
            default -> "enct";
          };
      entries.content(
          ProtectionBoxes.entries(
              entries.content(), type, protector(id), isPiff, lead == Lead.ENTRY));
    }
    movie.children().add(ProtectionBoxes.pssh(all.kid()));
    return movie.bytes();
  }

  /** One of them, whose samples are encrypted in the copy of the file. */
  private final class Fragment {
    private final MovieBox movie;
    private final int number;
    private final byte[] samples;
    private final Map<Integer, Integer> counts;
    private final Map<MovieBox, MovieBox> offsets = new HashMap<>();
    private final Map<MovieBox, List<Integer>> inside = new HashMap<>();

    Fragment(MovieBox movie, int number, byte[] samples, Map<Integer, Integer> counts) {
      this.movie = movie;
      this.number = number;
      this.samples = samples;
      this.counts = counts;
    }

    void protect(MovieBox moof) {
      int before = moof.size();
      for (MovieBox traf : moof.children("traf")) {
        protect(moof.start(), traf);
      }
      moof.children().add(ProtectionBoxes.pssh(all.kid()));
      int growth = moof.size() - before;
      for (MovieBox traf : moof.children("traf")) {
        traf.children("trun").forEach(run -> move(run, growth));
      }
      offsets.forEach(
          (saio, holder) -> {
            int start = moof.offsetOf(holder);
            saio.content(
                ProtectionBoxes.saio(
                    saioVersion, inside.get(saio).stream().map(at -> start + at).toList()));
          });
    }

    private static void move(MovieBox run, int growth) {
      ByteBuffer fields = ByteBuffer.wrap(run.content());
      if ((fields.getInt(0) & 1) != 0) {
        fields.putInt(8, fields.getInt(8) + growth);
      }
    }

    private void protect(int moofStart, MovieBox traf) {
      MovieBox tfhd = traf.at("tfhd");
      int track = ByteBuffer.wrap(tfhd.content()).getInt(4);
      boolean isLead = number < leadFragments;
      SampleProtector protector =
          rotation.isEmpty() ? protector(track) : rotation.get(number % rotation.size());
      if (lead == Lead.ENTRY && !isLead) {
        tfhd.content(ProtectionBoxes.withDescription(tfhd.content(), 2));
      }
      List<Integer> runStarts = new ArrayList<>();
      List<byte[]> entries = new ArrayList<>();
      for (FragmentRuns.Run run : FragmentRuns.of(movie, traf, moofStart)) {
        runStarts.add(entries.stream().mapToInt(entry -> entry.length).sum());
        int at = run.start();
        for (int size : run.sizes()) {
          int sample = counts.merge(track, 1, Integer::sum) - 1;
          if (!isLead) {
            protector.protect(samples, at, size, sample);
          }
          entries.add(ProtectionBoxes.entry(protector, size, sample, alwaysCounts));
          at += size;
        }
      }
      if (!isLead) {
        addAux(traf, protector, entries, runStarts);
      }
      if (!rotation.isEmpty() || (isLead && lead == Lead.GROUP)) {
        traf.children().addAll(ProtectionBoxes.group(protector, !isLead, entries.size()));
      }
    }

    private void addAux(
        MovieBox traf, SampleProtector protector, List<byte[]> entries, List<Integer> runStarts) {
      boolean hasCounts = alwaysCounts || protector.subsamples().apply(100).length > 0;
      Optional<MovieBox> holder =
          switch (aux) {
            case SENC, BOTH -> Optional.of(ProtectionBoxes.senc(entries, hasCounts));
            case PIFF -> Optional.of(ProtectionBoxes.piffSenc(entries, hasCounts));
            case SAIO -> Optional.of(MovieBox.of("free", MovieBox.joined(entries)));
            case NONE -> Optional.empty();
          };
      if (aux == Aux.BOTH || aux == Aux.SAIO) {
        List<Integer> starts = saioPerRun ? runStarts : List.of(0);
        int head = aux == Aux.BOTH ? 8 : 0;
        MovieBox saio = MovieBox.of("saio", ProtectionBoxes.saio(saioVersion, starts));
        offsets.put(saio, holder.orElseThrow());
        inside.put(saio, starts.stream().map(start -> start + head).toList());
        traf.children().add(ProtectionBoxes.saiz(entries));
        traf.children().add(saio);
      }
      holder.ifPresent(traf.children()::add);
    }
  }
}
