package dev.millrace.app;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes a certificate that nobody vouches for: EC P-256, valid for a year, for every name and
 * address (RFC 5280 §4.2.1.6) under which the server can be reached on this machine. At most 64 of
 * them.
 */
final class SelfSignedCertificate {
  private static final Duration VALIDITY = Duration.ofDays(365);
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);
  private static final int MAX_NAMES = 64;
  private static final int SERIAL_BITS = 127;

  private SelfSignedCertificate() {}

  /**
   * Makes one with a new key.
   *
   * @param host what the server binds
   */
  static ServerCertificate make(String host, Instant now)
      throws GeneralSecurityException, IOException {
    SecureRandom random = new SecureRandom();
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), random);
    KeyPair keys = generator.generateKeyPair();
    Instant from = now.minus(CLOCK_SKEW);
    X500Name name = new X500Name("CN=Millrace (self-signed)");
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            new BigInteger(SERIAL_BITS, random).setBit(0),
            Date.from(from),
            Date.from(from.plus(VALIDITY)),
            name,
            keys.getPublic());
    builder
        .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names(host)))
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
        .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
        .addExtension(
            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
    try {
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      var certificate = new JcaX509CertificateConverter().getCertificate(builder.build(signer));
      return new ServerCertificate(keys.getPrivate(), List.of(certificate));
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static GeneralName[] names(String host) throws IOException {
    Set<GeneralName> names = new LinkedHashSet<>();
    names.add(name("localhost"));
    names.add(address(InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
    if (!isAddress(host)) {
      names.add(name(host));
    } else if (InetAddress.getByName(host).isAnyLocalAddress()) {
      addThisMachine(names);
    } else {
      names.add(address(InetAddress.getByName(host)));
    }
    return names.stream().limit(MAX_NAMES).toArray(GeneralName[]::new);
  }

  private static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
  }

  private static void addThisMachine(Set<GeneralName> names) throws SocketException {
    try {
      names.add(name(InetAddress.getLocalHost().getHostName()));
    } catch (UnknownHostException e) {
      // its name leads nowhere, so nobody will use it
    }
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .forEach(address -> names.add(address(address)));
  }

  private static GeneralName name(String host) {
    return new GeneralName(GeneralName.dNSName, host);
  }

  private static GeneralName address(InetAddress address) {
    return new GeneralName(GeneralName.iPAddress, new DEROctetString(address.getAddress()));
  }
}
