// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.github.batchvalidator.testing.ProcessMemory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The memory of the JVM at some time, in bytes.
 *
 * @param seconds since the start
 * @param calls so far
 * @param heap in use after a collection
 * @param tracked memory that the JVM committed beside the heap, as its native memory tracking has
 *     it
 * @param resident memory of the process; what codec libraries allocate is seen here alone
 * @param files open descriptors
 */
record SoakSample(long seconds, long calls, long heap, long tracked, long resident, long files) {
  private static final int KB = 1024;
  private static final long CLEANING_MS = 300;
  private static final Pattern TOTAL = Pattern.compile("Total: .*committed=(\\d+)KB");
  private static final Pattern HEAP = Pattern.compile("Java Heap \\(.*committed=(\\d+)KB");

  static SoakSample take(long seconds, long calls)
      throws JMException, IOException, InterruptedException {
    collect();
    String summary = nativeMemory();
    return new SoakSample(
        seconds,
        calls,
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        kilobytes(TOTAL, summary) - kilobytes(HEAP, summary),
        KB * ProcessMemory.nowKib(),
        openFiles());
  }

  /**
   * Collects twice with a pause, because buffers outside of the heap are freed some time after the
   * first.
   */
  private static void collect() throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(CLEANING_MS);
    }
  }

  private static String nativeMemory() throws JMException {
    return (String)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "vmNativeMemory",
                new Object[] {new String[] {"summary"}},
                new String[] {String[].class.getName()});
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static long kilobytes(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + pattern + " in " + text);
    }
    return KB * Long.parseLong(matcher.group(1));
  }
}
