package dev.millrace.link;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How links are sealed and which are believed.
 *
 * @param secrets of the server, newest first: the first seals, all open; empty: one is kept in the
 *     state directory
 * @param stateDirectory where it is kept; absent: a secret of this run only
 * @param isStateDirectoryChosen whether an operator named it; then its failure is an error, and
 *     otherwise the secret is one of this run
 * @param format of links that this server makes
 * @param acceptsCompatible whether links of the older format are believed
 */
public record LinkConfig(
    List<String> secrets,
    Optional<Path> stateDirectory,
    boolean isStateDirectoryChosen,
    LinkFormat format,
    boolean acceptsCompatible) {
  public static final int MAX_SECRETS = 8;
  public static final int MIN_SECRET_LENGTH = 16;

  public LinkConfig {
    secrets = List.copyOf(secrets);
  }

  public static LinkConfig defaults() {
    return new LinkConfig(List.of(), Optional.empty(), false, LinkFormat.V2, true);
  }

  /**
   * The same secrets.
   *
   * @throws IllegalArgumentException if they are none, too many or too short, never showing one
   */
  public static List<String> checkedSecrets(List<String> secrets) {
    if (secrets.isEmpty()) {
      throw new IllegalArgumentException("none");
    }
    if (secrets.size() > MAX_SECRETS) {
      throw new IllegalArgumentException("more than " + MAX_SECRETS);
    }
    if (secrets.stream().anyMatch(secret -> secret.length() < MIN_SECRET_LENGTH)) {
      throw new IllegalArgumentException("one is shorter than " + MIN_SECRET_LENGTH);
    }
    return secrets;
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "LinkConfig[secrets="
        + secrets.size()
        + ", stateDirectory="
        + stateDirectory
        + ", format="
        + format
        + ", acceptsCompatible="
        + acceptsCompatible
        + "]";
  }
}
