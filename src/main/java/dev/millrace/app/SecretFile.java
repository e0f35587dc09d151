package dev.millrace.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.millrace.link.LinkConfig;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;

/**
 * The secret of this server in a file of its own: {@code link-secret}, one line of text that its
 * owner alone can read. Made at the first use: 32 random bytes, base64url.
 */
final class SecretFile {
  static final String NAME = "link-secret";

  private static final int SECRET_BYTES = 32;
  private static final int MAX_FILE_BYTES = 4096;
  private static final String OWNER_ONLY = "rw-------";

  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private final Path directory;
  private final Path file;

  private SecretFile(Path directory) {
    this.directory = directory;
    this.file = directory.resolve(NAME);
  }

  /**
   * What the file in this directory says, made before if it is missing. Processes that come at the
   * same time read the same, except on file systems without hard links, where the first start must
   * be alone.
   *
   * @throws IOException if the directory or the file cannot be made, or the file not be read
   * @throws BadSecretException if what is there is no secret
   */
  static String read(Path directory) throws IOException, BadSecretException {
    SecretFile secret = new SecretFile(directory.toAbsolutePath());
    if (!Files.exists(secret.file)) {
      secret.make();
    }
    return secret.checked();
  }

  /** A secret that nobody has had before. */
  static String random() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  private void make() throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, permissions("rwx------"));
    }
    Path whole = Files.createTempFile(directory, NAME, ".new", permissions(OWNER_ONLY));
    try {
      byte[] text = (random() + "\n").getBytes(UTF_8);
      Files.write(whole, text, WRITE, SYNC);
      appear(whole, text);
    } catch (FileAlreadyExistsException e) {
      // another process was faster: its secret is the one
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  /** A link appears with its content, or not at all if there is one. */
  private void appear(Path whole, byte[] text) throws IOException {
    try {
      Files.createLink(file, whole);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      try (var channel =
              Files.newByteChannel(file, Set.of(CREATE_NEW, WRITE, SYNC), permissions(OWNER_ONLY));
          var out = Channels.newOutputStream(channel)) {
        out.write(text);
      }
    }
  }

  private FileAttribute<?>[] permissions(String posix) {
    return isPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(posix))
        }
        : new FileAttribute<?>[0];
  }

  private boolean isPosix() {
    return directory.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private String checked() throws IOException, BadSecretException {
    if (isPosix() && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
      throw new BadSecretException(
          file + ": not its owner's alone (expected: chmod 600, or LINK_SECRET instead of a file)");
    }
    String secret = text();
    if (secret.length() < LinkConfig.MIN_SECRET_LENGTH) {
      throw new BadSecretException(
          file
              + ": empty or too short (expected: at least "
              + LinkConfig.MIN_SECRET_LENGTH
              + " characters; if you delete it a new one is made, and links made so far end)");
    }
    return secret;
  }

  private String text() throws IOException, BadSecretException {
    if (Files.size(file) <= MAX_FILE_BYTES) {
      try {
        return Files.readString(file, UTF_8).strip();
      } catch (CharacterCodingException e) {
        // told like a file that is too large
      }
    }
    throw new BadSecretException(
        file + ": no secret (expected: one line of UTF-8, at most " + MAX_FILE_BYTES + " bytes)");
  }
}
