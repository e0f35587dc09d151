package dev.millrace.app;

import dev.millrace.config.TlsConfig.PemFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMDecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;

/**
 * Reads a certificate chain and its key from PEM files (RFC 7468): keys in PKCS #8, PKCS #1 and SEC
 * 1 form, encrypted or not. Other objects in the files, such as curve parameters, are passed over.
 * A file may be 1 MiB long.
 */
final class PemCertificate {
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final String CERTIFICATE = "TLS_CERTIFICATE: ";
  private static final String KEY = "TLS_KEY: ";

  private PemCertificate() {}

  /**
   * Reads both files and sees that they can be used.
   *
   * @param now when they are to be valid
   */
  static ServerCertificate read(PemFiles files, Instant now) throws BadCertificateException {
    List<X509Certificate> chain = chain(files.certificate());
    X509Certificate leaf = chain.get(0);
    checkValidity(leaf, files.certificate(), now);
    PrivateKey key = key(files.key(), files.keyPassword());
    if (!belongTogether(key, leaf.getPublicKey(), files.key())) {
      throw new BadCertificateException(
          KEY
              + files.key()
              + " is not the key of the first certificate in "
              + files.certificate()
              + " (expected there: the server's own certificate, then those that vouch for it)");
    }
    return new ServerCertificate(key, chain);
  }

  private static List<X509Certificate> chain(Path file) throws BadCertificateException {
    List<X509Certificate> chain = new ArrayList<>();
    JcaX509CertificateConverter converter = new JcaX509CertificateConverter();
    try {
      for (Object part : parts(CERTIFICATE, file)) {
        if (part instanceof X509CertificateHolder holder) {
          chain.add(converter.getCertificate(holder));
        }
      }
    } catch (CertificateException e) {
      throw new BadCertificateException(CERTIFICATE + file + " holds a malformed certificate");
    }
    if (chain.isEmpty()) {
      throw new BadCertificateException(
          CERTIFICATE + file + " holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)");
    }
    return chain;
  }

  private static void checkValidity(X509Certificate leaf, Path file, Instant now)
      throws BadCertificateException {
    Instant from = leaf.getNotBefore().toInstant();
    Instant until = leaf.getNotAfter().toInstant();
    if (now.isAfter(until)) {
      throw new BadCertificateException(
          CERTIFICATE + file + " has expired at " + until + "; it has to be renewed");
    }
    if (now.isBefore(from)) {
      throw new BadCertificateException(
          CERTIFICATE + file + " is not valid before " + from + "; is the clock right?");
    }
  }

  private static PrivateKey key(Path file, Optional<String> password)
      throws BadCertificateException {
    for (Object part : parts(KEY, file)) {
      Optional<PrivateKeyInfo> found = keyInfo(part, file, password);
      if (found.isPresent()) {
        try {
          return new JcaPEMKeyConverter().getPrivateKey(found.get());
        } catch (PEMException e) {
          throw unusable(file);
        }
      }
    }
    throw new BadCertificateException(
        KEY + file + " holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)");
  }

  private static BadCertificateException unusable(Path file) {
    return new BadCertificateException(
        KEY + file + " holds a key that cannot be used (expected: RSA, EC or Ed25519)");
  }

  private static Optional<PrivateKeyInfo> keyInfo(Object part, Path file, Optional<String> password)
      throws BadCertificateException {
    if (part instanceof PrivateKeyInfo plain) {
      return Optional.of(plain);
    }
    if (part instanceof PEMKeyPair plain) {
      return Optional.of(plain.getPrivateKeyInfo());
    }
    if (part instanceof PKCS8EncryptedPrivateKeyInfo || part instanceof PEMEncryptedKeyPair) {
      char[] secret =
          password
              .orElseThrow(
                  () ->
                      new BadCertificateException(
                          KEY + file + " is encrypted: TLS_KEY_PASSWORD has to be set"))
              .toCharArray();
      return Optional.of(decrypt(part, file, secret));
    }
    return Optional.empty();
  }

  private static PrivateKeyInfo decrypt(Object part, Path file, char[] secret)
      throws BadCertificateException {
    BouncyCastleProvider provider = new BouncyCastleProvider();
    try {
      if (part instanceof PKCS8EncryptedPrivateKeyInfo encrypted) {
        return encrypted.decryptPrivateKeyInfo(
            new JceOpenSSLPKCS8DecryptorProviderBuilder().setProvider(provider).build(secret));
      }
      return ((PEMEncryptedKeyPair) part)
          .decryptKeyPair(new JcePEMDecryptorProviderBuilder().setProvider(provider).build(secret))
          .getPrivateKeyInfo();
    } catch (PKCSException | OperatorCreationException | IOException | RuntimeException e) {
      throw new BadCertificateException("TLS_KEY_PASSWORD: does not open " + file);
    }
  }

  private static boolean belongTogether(PrivateKey key, PublicKey publicKey, Path file)
      throws BadCertificateException {
    if (!key.getAlgorithm().equals(publicKey.getAlgorithm())) {
      return false;
    }
    byte[] text = "proof of possession".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signature = Signature.getInstance(signatureAlgorithm(key));
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      throw unusable(file);
    }
  }

  private static String signatureAlgorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> key.getAlgorithm();
    };
  }

  private static List<Object> parts(String setting, Path file) throws BadCertificateException {
    List<Object> parts = new ArrayList<>();
    try (PEMParser parser = new PEMParser(new StringReader(text(setting, file)))) {
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        parts.add(part);
      }
      return parts;
    } catch (IOException | RuntimeException e) {
      throw new BadCertificateException(setting + file + " is damaged: it is not valid PEM");
    }
  }

  private static String text(String setting, Path file) throws BadCertificateException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw new BadCertificateException(setting + file + " is longer than 1 MiB");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new BadCertificateException(setting + file.toAbsolutePath() + " does not exist");
    } catch (AccessDeniedException e) {
      throw new BadCertificateException(setting + file + " may not be read by this user");
    } catch (IOException e) {
      throw new BadCertificateException(setting + file + " cannot be read");
    }
  }
}
