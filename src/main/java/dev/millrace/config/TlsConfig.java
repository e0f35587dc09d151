package dev.millrace.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the standalone server proves its name with.
 *
 * @param certificate PEM, the chain, leaf first; absent: a self-signed one is made at the start
 * @param key PEM, the private key of the leaf
 */
public record TlsConfig(Optional<Path> certificate, Optional<Path> key) {}
