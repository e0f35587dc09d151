package dev.millrace.app;

import dev.millrace.metrics.Metrics;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the process as a whole uses. All of it is asked for when somebody looks, not before. */
final class ProcessMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessMetrics.class);
  private static final String OPERATING_SYSTEM = "java.lang:type=OperatingSystem";

  private ProcessMetrics() {}

  static void show(Metrics metrics, ByteBufferPool buffers) {
    Runtime runtime = Runtime.getRuntime();
    metrics.gauge("jvm_heap_used_bytes", () -> runtime.totalMemory() - runtime.freeMemory());
    metrics.gauge("jvm_heap_limit_bytes", runtime::maxMemory);
    metrics.gauge("jvm_direct_used_bytes", ProcessMetrics::directBytes);
    metrics.gauge("jvm_threads", () -> ManagementFactory.getThreadMXBean().getThreadCount());
    metrics.gauge("open_files", ProcessMetrics::openFiles);
    metrics.gauge("build_info", () -> 1, "version", Version.text());
    if (buffers instanceof ArrayByteBufferPool pool) {
      metrics.gauge("pooled_buffers_bytes", pool::getDirectMemory, "memory", "direct");
      metrics.gauge("pooled_buffers_bytes", pool::getHeapMemory, "memory", "heap");
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** −1 on systems that do not tell. */
  private static long openFiles() {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      Object count =
          server.getAttribute(new ObjectName(OPERATING_SYSTEM), "OpenFileDescriptorCount");
      return count instanceof Long number ? number : -1;
    } catch (JMException e) {
      LOG.debug("this system does not tell how many files are open", e);
      return -1;
    }
  }
}
