// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Collects the largest figure of each kind and codec, for {@code config/allocation-matrix}, which
 * names the file to append to in the system property {@value #FILE_PROPERTY}.
 */
final class AllocationFigures {
  static final String FILE_PROPERTY = "allocation.figures";

  private static final Map<String, Long> LARGEST = new TreeMap<>();

  private AllocationFigures() {}

  static void add(AllocationCase given, long bytes) {
    String verdict = given.input() == AllocationCase.Input.ACCEPTED ? "accepted" : "refused";
    add(given.codec(), verdict + ", " + given.records() + " records", bytes);
  }

  static void add(Codec codec, String kind, long bytes) {
    LARGEST.merge(codec + "\t" + kind, bytes, Math::max);
  }

  static void write() {
    String file = System.getProperty(FILE_PROPERTY);
    if (file == null) {
      return;
    }
    List<String> lines = new ArrayList<>();
    LARGEST.forEach((key, bytes) -> lines.add(key + "\t" + bytes));
    try {
      Files.write(Path.of(file), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
