package dev.millrace.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.link.LinkTokens.OpenedLink;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Tokens as older proxies make them: base64url of IV (16 bytes) and ciphertext, AES-256-CBC with
 * PKCS#7 padding (NIST SP 800-38A), the key the password in UTF-8, filled up with blanks and cut at
 * 32 bytes. The plaintext is one flat JSON object, the query of the request with {@code exp}
 * (seconds since 1970) and {@code ip} in it. Nothing authenticates it: whoever opens one has to
 * look for the password inside.
 */
final class CompatibleFormat {
  private static final String EXPIRY = "exp";
  private static final String ADDRESS = "ip";
  private static final String CIPHER = "AES/CBC/PKCS5Padding"; // PKCS#7, by its older name
  private static final int KEY_BYTES = 32;
  private static final int BLOCK_BYTES = 16;

  private final String password;
  private final SecretKeySpec key;
  private final byte[] ivKey;

  /**
   * @param ivKey what initialization vectors are derived with; secret
   */
  CompatibleFormat(String password, byte[] ivKey) {
    this.password = password;
    this.key = new SecretKeySpec(paddedKey(password), "AES");
    this.ivKey = ivKey.clone();
  }

  private static byte[] paddedKey(String password) {
    byte[] bytes = password.getBytes(UTF_8);
    byte[] padded = Arrays.copyOf(bytes, KEY_BYTES);
    if (bytes.length < KEY_BYTES) {
      Arrays.fill(padded, bytes.length, KEY_BYTES, (byte) ' ');
    }
    return padded;
  }

  /** The token of a link, with the password inside. */
  String seal(ProxyLink link) {
    byte[] plaintext = plaintext(link);
    // Unlike for every link, the same for the same one: players compare the addresses of keys.
    return seal(plaintext, Arrays.copyOf(Hkdf.hmac(ivKey, plaintext), BLOCK_BYTES));
  }

  /** The same with a chosen initialization vector. */
  String seal(ProxyLink link, byte[] iv) {
    return seal(plaintext(link), iv);
  }

  private String seal(byte[] plaintext, byte[] iv) {
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, iv, 0);
      byte[] token = Arrays.copyOf(iv, BLOCK_BYTES + cipher.getOutputSize(plaintext.length));
      cipher.doFinal(plaintext, 0, plaintext.length, token, BLOCK_BYTES);
      return TokenText.of(token);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + CIPHER, e);
    }
  }

  /** Rights and parameters share one object: a parameter of a right's name would become one. */
  private byte[] plaintext(ProxyLink link) {
    Map<String, String> parameters = new LinkedHashMap<>(link.parameters());
    parameters.putIfAbsent(LinkTokens.PASSWORD, password);
    parameters.remove(EXPIRY);
    parameters.remove(ADDRESS);
    LinkTokens.checkCount(parameters);
    JsonObjectText json = JsonObjectText.spaced().members(parameters);
    link.rights().expiry().ifPresent(expiry -> json.member(EXPIRY, expiry.getEpochSecond()));
    link.rights().clientAddress().ifPresent(address -> json.member(ADDRESS, address));
    return json.toString().getBytes(UTF_8);
  }

  /** What is in a token. */
  OpenedLink open(String token) throws LinkTokenException {
    byte[] bytes = TokenText.bytes(withoutPadding(token));
    if (bytes.length < 2 * BLOCK_BYTES || bytes.length % BLOCK_BYTES != 0) {
      throw new LinkTokenException("wrong_length");
    }
    return new OpenedLink(link(TokenText.utf8(decrypted(bytes))), false);
  }

  private static String withoutPadding(String token) {
    int end = token.length();
    while (end > 0 && token.length() - end < 2 && token.charAt(end - 1) == '=') {
      end--;
    }
    return token.substring(0, end);
  }

  private byte[] decrypted(byte[] token) throws LinkTokenException {
    try {
      return cipher(Cipher.DECRYPT_MODE, token, 0)
          .doFinal(token, BLOCK_BYTES, token.length - BLOCK_BYTES);
    } catch (BadPaddingException e) {
      throw new LinkTokenException("bad_padding");
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java platform has " + CIPHER, e);
    }
  }

  private Cipher cipher(int mode, byte[] iv, int offset) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new IvParameterSpec(iv, offset, BLOCK_BYTES));
    return cipher;
  }

  private static ProxyLink link(String json) throws LinkTokenException {
    Reading reading = new Reading();
    TokenJson.read(json, reading);
    return new ProxyLink(
        reading.parameters,
        new LinkRights(
            Optional.ofNullable(reading.expiry),
            Optional.ofNullable(reading.address),
            Optional.empty()));
  }

  /** A payload, as far as it is read. */
  private static final class Reading implements TokenJson.Member {
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private @Nullable Instant expiry;
    private @Nullable String address;

    @Override
    public void read(String name, TokenJson value) throws LinkTokenException {
      switch (name) {
        case EXPIRY -> expiry = value.instant().orElse(null);
        case ADDRESS -> address = value.text().orElse(null);
        default -> value.parameter(name, parameters);
      }
    }
  }
}
