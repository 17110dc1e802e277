// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Python;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What level STRICT accepts of {@link EveryFault}, the reader of kafka-python, which shares no code
 * with Kafka, reads to the end, and finds the same records in it. It runs in {@code
 * scripts/other-clients} alone, which brings Python.
 */
@Tag("python")
final class OtherReaderIT {
  /** The last line of the script's output: how many batches of each kind there were. */
  private record Counts(
      int accepted, int unread, int different, int control, int refused, int refusedByBoth) {}

  @ParameterizedTest
  @EnumSource(Codec.class)
  void readsWhatIsAccepted(Codec codec) throws Exception {
    Path folder = Files.createDirectories(Python.build().resolve("other-reader"));
    Path batches = folder.resolve(codec + ".batches");
    int written = write(codec, batches);
    List<String> lines = Python.run("other_reader.py", folder, batches.toString());
    Files.write(folder.resolve(codec + ".txt"), lines);
    List<String> complaints = new ArrayList<>(lines);
    Counts counts = parse(complaints.remove(complaints.size() - 1));
    assertEquals(List.of(), complaints);
    assertEquals(0, counts.unread() + counts.different());
    assertEquals(1, counts.control(), "the golden batch with the bit of a control batch");
    assertEquals(written, counts.accepted() + counts.refused());
    assertTrue(counts.accepted() > 0, counts::toString);
    assertTrue(counts.refusedByBoth() > counts.refused() / 2, counts::toString);
  }

  private static int write(Codec codec, Path file) throws IOException {
    try (JudgedBatches judged =
        new JudgedBatches(new DataOutputStream(Files.newOutputStream(file)))) {
      EveryFault.of(codec, judged);
      return judged.written();
    }
  }

  private static Counts parse(String line) {
    String[] parts = line.split(" ", -1);
    int[] counts = new int[6];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Integer.parseInt(parts[2 * i + 1]);
    }
    return new Counts(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]);
  }
}
