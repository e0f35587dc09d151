package dev.millrace.servlet;

import dev.millrace.proxy.ProxyParameters;
import dev.millrace.stream.ByteTransform;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** The body filters that requests may name. Unknown names are ignored, as clients expect. */
public final class Transforms {
  private final Map<String, TransformerProvider> providers;

  private Transforms(Map<String, TransformerProvider> providers) {
    this.providers = providers;
  }

  /** Finds the operator's filters on the class path. */
  public static Transforms load() {
    Map<String, TransformerProvider> providers = new HashMap<>();
    for (TransformerProvider provider : ServiceLoader.load(TransformerProvider.class)) {
      if (provider.id().equals(Unwrapping.ID)) {
        throw new IllegalStateException("the id " + Unwrapping.ID + " is taken");
      }
      if (providers.putIfAbsent(provider.id(), provider) != null) {
        throw new IllegalStateException("two transformers have the id " + provider.id());
      }
    }
    return new Transforms(Map.copyOf(providers));
  }

  /** Whether there is one of the name that the request gives. */
  boolean has(ProxyParameters parameters) {
    return parameters.transformer().filter(providers::containsKey).isPresent();
  }

  Optional<ByteTransform> of(ProxyParameters parameters, HttpServletRequest clientRequest) {
    return parameters
        .transformer()
        .map(providers::get)
        .map(provider -> new TransformerAdapter(provider.newTransformer(clientRequest)));
  }
}
