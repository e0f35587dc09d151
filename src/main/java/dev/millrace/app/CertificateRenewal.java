package dev.millrace.app;

import dev.millrace.config.TlsConfig.PemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over a renewed certificate: looks at the files once a minute and reads them when one has
 * changed. What cannot be used is told once, and the former certificate stays. Connections that are
 * open go on.
 */
final class CertificateRenewal {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);

  private final PemFiles files;
  private final Taker taker;
  private List<FileTime> seen;

  /** Takes over a certificate. */
  @FunctionalInterface
  interface Taker {
    void take(ServerCertificate renewed) throws Exception;
  }

  CertificateRenewal(PemFiles files, Taker taker) {
    this.files = files;
    this.taker = taker;
    this.seen = times();
  }

  /** Looks every minute for as long as {@code scheduler} runs. */
  void repeat(Scheduler scheduler) {
    scheduler.schedule(
        () -> {
          check(Instant.now());
          repeat(scheduler);
        },
        1,
        TimeUnit.MINUTES);
  }

  /** Looks now. One thread at a time. */
  void check(Instant now) {
    List<FileTime> times = times();
    if (times.equals(seen)) {
      return;
    }
    seen = times;
    try {
      ServerCertificate renewed = PemCertificate.read(files, now);
      taker.take(renewed);
      LOG.info("Renewed certificate, valid until {}", renewed.leaf().getNotAfter().toInstant());
    } catch (BadCertificateException e) {
      LOG.warn("The changed certificate is not used. {}", e.getMessage());
    } catch (Exception e) {
      LOG.warn("The changed certificate is not used", e);
    }
  }

  private List<FileTime> times() {
    List<FileTime> times = new ArrayList<>();
    for (Path file : List.of(files.certificate(), files.key())) {
      try {
        times.add(Files.getLastModifiedTime(file));
      } catch (IOException e) {
        times.add(FileTime.fromMillis(0)); // being replaced, perhaps
      }
    }
    return times;
  }
}
