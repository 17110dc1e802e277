// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replays the fuzzer's seeds and earlier finds without the fuzzer. */
@Tag("unvaried")
class FuzzReplayIT {
  private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");
  private static final int CHANGED = 50;

  @ParameterizedTest
  @EnumSource
  void corpus(FuzzTarget target) throws IOException {
    List<Path> files = files(target);
    assertFalse(files.isEmpty(), "no corpus");
    for (Path file : files) {
      byte[] input = Files.readAllBytes(file);
      run(target, input, file.toString());
      Random random = new Random(file.getFileName().toString().hashCode());
      for (int i = 0; i < CHANGED; i++) {
        byte[] changed = input.clone();
        for (int k = 0; k <= i % 3; k++) {
          changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        }
        run(target, changed, "like " + file);
      }
    }
  }

  private static List<Path> files(FuzzTarget target) throws IOException {
    try (Stream<Path> files = Files.list(CORPUS.resolve(target.label()))) {
      return files.sorted().toList();
    }
  }

  private static void run(FuzzTarget target, byte[] input, String what) {
    try {
      target.run(input);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what + " b64:" + Base64.getEncoder().encodeToString(input), e);
    }
  }
}
