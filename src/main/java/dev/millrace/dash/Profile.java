package dev.millrace.dash;

import dev.millrace.dash.AdaptationSet.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One representation of a presentation, all its periods joined by profile id (contract §1.5).
 *
 * <p>In a period that does not have the id, what is nearest to it stands in: of the same kind, and
 * for subtitles of the same language; then the same language, the same roles, the same media type,
 * the nearest height, the nearest bandwidth, in this order. So advertisements with ids of their own
 * do not cut a variant off.
 *
 * @param id as it was asked for; of two with the same in one period, the first is meant
 * @param members one for each period, in their order, without those that have nothing of the kind
 */
public record Profile(String id, List<InPeriod> members) {
  public Profile {
    members = List.copyOf(members);
  }

  /** What is played of it in one period. */
  public record InPeriod(Period period, AdaptationSet set, Representation representation) {}

  /**
   * Empty if no period has it, or it cannot be played. Live packagers measure the bandwidth anew
   * with each reading: there, an id that is the same but for that is meant, if there is only one.
   */
  public static Optional<Profile> find(Mpd mpd, String id) {
    Optional<InPeriod> first =
        mpd.periods().stream().flatMap(period -> exact(period, id).stream()).findFirst();
    return first.or(() -> remeasured(mpd, id)).map(wanted -> joined(mpd, wanted, id));
  }

  private static Optional<InPeriod> remeasured(Mpd mpd, String id) {
    List<InPeriod> alike =
        mpd.periods().stream()
            .flatMap(period -> played(period).stream())
            .filter(member -> stem(member.representation().profileId()).equals(stem(id)))
            .toList();
    long ids = alike.stream().map(member -> member.representation().profileId()).distinct().count();
    return mpd.isDynamic() && ids == 1 ? Optional.of(alike.get(0)) : Optional.empty();
  }

  /** Without the bandwidth, which stands at its end (contract §1.5). */
  private static String stem(String id) {
    return id.substring(0, Math.max(0, id.lastIndexOf('_')));
  }

  /** Those whose segment index has to be read before a media playlist can be written. */
  public List<Representation> indexed() {
    return members.stream()
        .map(InPeriod::representation)
        .filter(representation -> representation.addressing() instanceof Addressing.SegmentBase)
        .filter(representation -> !Renditions.isSidecar(representation))
        .toList();
  }

  /** Of all periods, in their order; empty where there is nothing of the kind. */
  List<Optional<InPeriod>> inAll(Mpd mpd) {
    List<Optional<InPeriod>> all = new ArrayList<>();
    int next = 0;
    for (Period period : mpd.periods()) {
      boolean isThere = next < members.size() && members.get(next).period().equals(period);
      all.add(isThere ? Optional.of(members.get(next)) : Optional.empty());
      next += isThere ? 1 : 0;
    }
    return all;
  }

  private static Profile joined(Mpd mpd, InPeriod wanted, String asked) {
    String id = wanted.representation().profileId();
    List<InPeriod> members = new ArrayList<>();
    for (Period period : mpd.periods()) {
      exact(period, id).or(() -> nearest(period, wanted)).ifPresent(members::add);
    }
    return new Profile(asked, members);
  }

  private static Optional<InPeriod> exact(Period period, String id) {
    return played(period).stream()
        .filter(member -> member.representation().profileId().equals(id))
        .findFirst();
  }

  private static Optional<InPeriod> nearest(Period period, InPeriod wanted) {
    Representation like = wanted.representation();
    return played(period).stream()
        .filter(member -> member.set().kind() == wanted.set().kind())
        .filter(member -> wanted.set().kind() != Kind.TEXT || isSameLanguage(member, wanted))
        .min(
            Comparator.comparing((InPeriod member) -> !isSameLanguage(member, wanted))
                .thenComparing(member -> !member.set().roles().equals(wanted.set().roles()))
                .thenComparing(
                    member -> !member.representation().mimeType().equals(like.mimeType()))
                .thenComparingInt(member -> distance(member.representation(), like))
                .thenComparingLong(
                    member -> Math.abs(member.representation().bandwidth() - like.bandwidth())));
  }

  private static boolean isSameLanguage(InPeriod member, InPeriod wanted) {
    return Objects.equals(member.set().language(), wanted.set().language());
  }

  private static int distance(Representation representation, Representation like) {
    return Math.abs(representation.height().orElse(0) - like.height().orElse(0));
  }

  /** All that can be played in a period, in its order. */
  static List<InPeriod> played(Period period) {
    List<InPeriod> played = new ArrayList<>();
    for (AdaptationSet set : period.adaptationSets()) {
      for (Representation representation : set.representations()) {
        InPeriod member = new InPeriod(period, set, representation);
        if (Renditions.isListed(member)) {
          played.add(member);
        }
      }
    }
    return played;
  }
}
