package dev.millrace.app;

import dev.millrace.link.LinkConfig;
import dev.millrace.link.LinkTokens;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What links are sealed with: the secrets of the settings, or one that is kept in a file, or one of
 * this run.
 *
 * @param secrets newest first, at least one
 * @param problem why it is one of this run, fit for the operator; absent: it is not
 */
record LinkSecrets(List<String> secrets, Optional<String> problem) {
  LinkSecrets {
    secrets = List.copyOf(secrets);
  }

  /**
   * The secrets that the settings ask for. Touches no file if they name the secrets.
   *
   * @throws BadSecretException if the directory that they name cannot be used, or a file there is
   *     no secret
   */
  static LinkSecrets of(LinkConfig config) throws BadSecretException {
    if (!config.secrets().isEmpty()) {
      return new LinkSecrets(config.secrets(), Optional.empty());
    }
    Optional<Path> directory = config.stateDirectory();
    if (directory.isEmpty()) {
      return ofThisRun("there is no place to keep a secret");
    }
    try {
      return new LinkSecrets(List.of(SecretFile.read(directory.get())), Optional.empty());
    } catch (IOException e) {
      String problem = directory.get() + " cannot be used: " + explain(e);
      if (config.isStateDirectoryChosen()) {
        throw new BadSecretException(
            "STATE_DIR: " + problem + " (expected: a directory that the server may write to)");
      }
      return ofThisRun(problem);
    }
  }

  private static LinkSecrets ofThisRun(String problem) {
    return new LinkSecrets(
        List.of(SecretFile.random()),
        Optional.of(problem + " (expected: STATE_DIR, a directory to write to, or LINK_SECRET)"));
  }

  private static String explain(IOException failure) {
    if (failure instanceof AccessDeniedException denied) {
      return "permission denied for " + denied.getFile();
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "it is not a directory";
    }
    boolean isPlain = failure instanceof FileSystemException f && f.getReason() != null;
    return isPlain ? String.valueOf(failure.getMessage()) : failure.toString();
  }

  /** What seals and opens with them. */
  LinkTokens tokens(String password, LinkConfig config) {
    return new LinkTokens(password, secrets, config.format(), config.acceptsCompatible());
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "LinkSecrets[" + secrets.size() + ", problem=" + problem + "]";
  }
}
