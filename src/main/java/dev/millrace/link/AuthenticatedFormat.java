package dev.millrace.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.link.LinkTokens.OpenedLink;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of our own: {@code v2.} and base64url of key id (4 bytes), nonce (12), ciphertext and tag
 * (16); AES-256-GCM (NIST SP 800-38D) with {@code v2.} as additional data. The keys come from a
 * secret of the server, with the password's digest as salt (RFC 5869), so that neither alone opens
 * a link. The plaintext is the JSON object {@code {"e":seconds,"i":address,"f":family,"p":{…}}},
 * what is absent left out; a member that is not one of these is a limit that this version does not
 * know, and refused.
 *
 * <p>The nonce is derived from the plaintext with a key of its own: the same link has the same
 * token, so that players recognise the address of a key or an initialization section in the next
 * version of a playlist. Two different links share a nonce with probability 2⁻³³ after 2³² of them.
 */
final class AuthenticatedFormat {
  static final String PREFIX = "v2.";

  private static final String EXPIRY = "e";
  private static final String ADDRESS = "i";
  private static final String FAMILY = "f";
  private static final String PARAMETERS = "p";
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final byte[] PREFIX_BYTES = PREFIX.getBytes(UTF_8);
  private static final int ID_BYTES = 4;
  private static final int NONCE_BYTES = 12;
  private static final int HEAD_BYTES = ID_BYTES + NONCE_BYTES;
  private static final int TAG_BYTES = 16;
  private static final int KEY_BYTES = 32;

  /** The first seals. */
  private final List<Key> keys;

  private AuthenticatedFormat(List<Key> keys) {
    this.keys = keys;
  }

  /**
   * @param secrets at least one; the first seals, all open
   */
  static AuthenticatedFormat of(String password, List<String> secrets) {
    byte[] salt = sha256(password);
    return new AuthenticatedFormat(
        secrets.stream()
            .map(secret -> Key.of(Hkdf.extract(salt, secret.getBytes(UTF_8))))
            .toList());
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** What one secret gives. */
  private static final class Key {
    private final byte[] id;
    private final SecretKeySpec encryption;
    private final byte[] nonces;

    private Key(byte[] id, SecretKeySpec encryption, byte[] nonces) {
      this.id = id;
      this.encryption = encryption;
      this.nonces = nonces;
    }

    static Key of(byte[] pseudorandomKey) {
      return new Key(
          derived(pseudorandomKey, " id", ID_BYTES),
          new SecretKeySpec(derived(pseudorandomKey, "", KEY_BYTES), "AES"),
          derived(pseudorandomKey, " nonce", KEY_BYTES));
    }

    private static byte[] derived(byte[] pseudorandomKey, String purpose, int length) {
      return Hkdf.expand(pseudorandomKey, ("millrace link v2" + purpose).getBytes(UTF_8), length);
    }

    boolean hasMade(byte[] token) {
      return Arrays.equals(id, 0, ID_BYTES, token, 0, ID_BYTES);
    }

    Cipher cipher(int mode, byte[] token) throws GeneralSecurityException {
      Cipher cipher = Cipher.getInstance(CIPHER);
      cipher.init(
          mode, encryption, new GCMParameterSpec(8 * TAG_BYTES, token, ID_BYTES, NONCE_BYTES));
      cipher.updateAAD(PREFIX_BYTES);
      return cipher;
    }
  }

  /** The token of a link; the password is not in it. */
  String seal(ProxyLink link) {
    byte[] plaintext = plaintext(link);
    Key key = keys.get(0);
    byte[] token = Arrays.copyOf(key.id, HEAD_BYTES + plaintext.length + TAG_BYTES);
    System.arraycopy(Hkdf.hmac(key.nonces, plaintext), 0, token, ID_BYTES, NONCE_BYTES);
    try {
      key.cipher(Cipher.ENCRYPT_MODE, token)
          .doFinal(plaintext, 0, plaintext.length, token, HEAD_BYTES);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + CIPHER, e);
    }
    return PREFIX + TokenText.of(token);
  }

  private static byte[] plaintext(ProxyLink link) {
    JsonObjectText json = JsonObjectText.dense();
    LinkRights rights = link.rights();
    rights.expiry().ifPresent(expiry -> json.member(EXPIRY, expiry.getEpochSecond()));
    rights.clientAddress().ifPresent(address -> json.member(ADDRESS, address));
    rights.routeFamily().ifPresent(family -> json.member(FAMILY, family));
    Map<String, String> parameters = new LinkedHashMap<>(link.parameters());
    parameters.remove(LinkTokens.PASSWORD);
    LinkTokens.checkCount(parameters);
    return json.object(PARAMETERS, JsonObjectText.dense().members(parameters))
        .toString()
        .getBytes(UTF_8);
  }

  /** What is in a token, prefix included. Nothing is read before the tag is right. */
  OpenedLink open(String token) throws LinkTokenException {
    byte[] bytes = TokenText.bytes(token.substring(PREFIX.length()));
    if (bytes.length < HEAD_BYTES + TAG_BYTES) {
      throw new LinkTokenException("wrong_length");
    }
    return new OpenedLink(link(TokenText.utf8(decrypted(bytes))), true);
  }

  private byte[] decrypted(byte[] token) throws LinkTokenException {
    String reason = "unknown_secret";
    for (Key key : keys) {
      if (key.hasMade(token)) {
        try {
          return key.cipher(Cipher.DECRYPT_MODE, token)
              .doFinal(token, HEAD_BYTES, token.length - HEAD_BYTES);
        } catch (AEADBadTagException e) {
          reason = "not_authentic";
        } catch (GeneralSecurityException e) {
          throw new AssertionError("every Java platform has " + CIPHER, e);
        }
      }
    }
    throw new LinkTokenException(reason);
  }

  private static ProxyLink link(String json) throws LinkTokenException {
    Reading reading = new Reading();
    TokenJson.read(json, reading);
    return new ProxyLink(
        reading.parameters,
        new LinkRights(
            Optional.ofNullable(reading.expiry),
            Optional.ofNullable(reading.address),
            Optional.ofNullable(reading.family)));
  }

  /** A payload, as far as it is read. */
  private static final class Reading implements TokenJson.Member {
    private Map<String, String> parameters = Map.of();
    private @Nullable Instant expiry;
    private @Nullable String address;
    private @Nullable String family;

    @Override
    public void read(String name, TokenJson value) throws LinkTokenException {
      switch (name) {
        case EXPIRY -> expiry = value.instant().orElse(null);
        case ADDRESS -> address = value.text().orElse(null);
        case FAMILY -> family = value.text().orElse(null);
        case PARAMETERS -> parameters = value.parameters();
        default -> throw TokenJson.malformed();
      }
    }
  }
}
