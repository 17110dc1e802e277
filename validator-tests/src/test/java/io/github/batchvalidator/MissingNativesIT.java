// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testkit.broker.ChildJvm;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A processor for which the codec libraries bring no native library. */
class MissingNativesIT {
  private static final int LARGE_RECORDS = 20;
  private static final Set<Codec> UNAVAILABLE = Set.of(Codec.SNAPPY, Codec.ZSTD);

  @TempDir private Path folder;

  private static byte[] batch(Codec codec, int records) {
    SimpleRecord[] all = new SimpleRecord[records];
    for (int i = 0; i < records; i++) {
      all[i] = new SimpleRecord(Batches.nowMs(), new byte[1000]);
    }
    return Batches.of(codec, all).array();
  }

  /**
   * LZ4 has a decoder in Java. The size of a Snappy batch, which may be walked, does not matter.
   */
  @Test
  void codecsWithoutADecoderInJavaAreUnavailable() throws Exception {
    List<Path> classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .toList();
    List<String> command = new ArrayList<>(List.of(MissingNatives.class.getName()));
    List<String> expected = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      for (int records : new int[] {1, LARGE_RECORDS}) {
        command.add(Batches.base64(batch(codec, records)));
        String reason = UNAVAILABLE.contains(codec) ? "CODEC_UNAVAILABLE" : "null";
        expected.addAll(List.of(codec + " " + reason, codec + " " + reason));
      }
    }
    String printed =
        ChildJvm.run(
            folder,
            classPath,
            List.of(
                "-Dos.arch=none",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED"), // else newer JDKs warn
            command);
    assertEquals(expected, printed.lines().toList());
  }
}
