// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * In a JVM with 256 KiB of stack and 64 MiB of heap, nothing but Kafka's own exception classes
 * leaves the drop-in, whatever it is given.
 */
class NothingEscapesIT {
  private static final int DRAFTS = 120;
  private static final int VARIANTS = 40;
  private static final int LARGEST_BYTES = 1 << 20;
  private static final long SEED = 20_250_703;
  private static final int GENERATOR_SIZE = 1000;

  @TempDir private static Path directory;

  private static Path appends;
  private static long count;

  @BeforeAll
  static void write() throws IOException {
    appends = directory.resolve("appends");
    try (PrintWriter out =
        new PrintWriter(Files.newBufferedWriter(appends, StandardCharsets.UTF_8))) {
      for (Append append : HostileAppends.all()) {
        out.println(append.toLine());
        count++;
      }
      JqwikSession.run(() -> writeRandom(out));
    }
  }

  private static void writeRandom(PrintWriter out) {
    RandomGenerator<Draft> drafts = Appends.drafts().generator(GENERATOR_SIZE, true);
    Random random = new Random(SEED);
    for (int i = 0; i < DRAFTS; i++) {
      Variants variants = new Variants(drafts.next(random).value());
      for (int k = 0; k < VARIANTS; k++) {
        Append append = variants.next();
        if (append.bytes().length <= LARGEST_BYTES) {
          out.println(append.toLine());
          count++;
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void withLittleHeapAndStack(KafkaLine line) throws IOException, InterruptedException {
    Path out = directory.resolve(line.name());
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xss256k",
                "-Xmx64m",
                // The probe keeps copies of large results: with regions it runs out first, on JDK
                // 25.
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                EscapeProbe.class.getName(),
                line.name(),
                appends.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertTrue(process.waitFor(3, TimeUnit.MINUTES));
    } finally {
      process.destroyForcibly();
    }
    assertEquals("ANSWERED " + count, Files.readString(out, StandardCharsets.UTF_8).strip());
    assertEquals(0, process.exitValue());
  }

  private static String classPath() {
    String ofSurefire = System.getProperty("surefire.test.class.path");
    return ofSurefire != null ? ofSurefire : System.getProperty("java.class.path");
  }
}
