package dev.millrace.app;

import static java.util.Map.entry;

import java.util.Map;

/** What each name on {@code /metrics} means, in one sentence. */
final class InstrumentHelp {
  static final Map<String, String> SENTENCES =
      Map.ofEntries(
          entry("requests", "Requests that are over, by route, method and class of status."),
          entry("failures", "Requests that failed or were broken off, by the reason told."),
          entry("clients_left", "Streams whose client did not wait for the end."),
          entry("response_bytes", "Body bytes given to clients of streams, running ones included."),
          entry("response_first_byte", "From a request to the first byte of its body."),
          entry("active_streams", "Streams that run."),
          entry("draining", "1 once the server has been told to stop."),
          entry("gate_wait", "From asking for a permit to an origin to having it."),
          entry("gate_waiting", "Requests that wait for a permit to their origin."),
          entry("gate_origins", "Origins with permits out."),
          entry("upstream_first_byte", "From a request to an origin to the head of its answer."),
          entry("upstream_retries", "Requests to origins repeated before an answer."),
          entry("upstream_resumes", "Bodies taken up again after a cut."),
          entry("upstream_fallbacks", "Turns to a further source."),
          entry("upstream_connections", "Connections to origins, in use or kept for the next use."),
          entry("upstream_destinations", "Origins that the client keeps a pool for."),
          entry("buffer_memory_reserved_bytes", "Direct memory reserved by running streams."),
          entry("buffer_memory_limit_bytes", "What they may reserve together: BUFFER_MEMORY."),
          entry("cache_hits", "Requests answered with what was kept."),
          entry("cache_shared", "Requests that joined a download which was under way."),
          entry("cache_misses", "Requests that could have shared and asked the origin."),
          entry("cache_prefetched", "Segments fetched ahead of their viewers, whole."),
          entry("cache_wasted", "Segments fetched ahead, whole or not, that nobody asked for."),
          entry("cache_bytes", "Direct memory in use by shared and kept bodies."),
          entry("cache_limit_bytes", "What they may use together: SEGMENT_CACHE."),
          entry("cache_entries", "Bodies that arrive or are kept for whoever asks."),
          entry("pooled_buffers_bytes", "Memory of the buffer pool, in use or kept."),
          entry("jvm_heap_used_bytes", "Java heap in use."),
          entry("jvm_heap_limit_bytes", "Java heap at most."),
          entry("jvm_direct_used_bytes", "Direct memory in use."),
          entry("jvm_threads", "Threads that live."),
          entry("open_files", "File descriptors in use, sockets included."),
          entry("build_info", "Always 1; the label tells the version."));

  private InstrumentHelp() {}
}
