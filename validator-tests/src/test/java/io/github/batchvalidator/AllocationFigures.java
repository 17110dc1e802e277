// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.rule.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * Collects the largest figure of each kind and codec, for {@code scripts/allocation-matrix}, which
 * names the file to write in the system property {@value #FILE_PROPERTY}.
 */
final class AllocationFigures {
  static final String FILE_PROPERTY = "allocation.figures";

  private static final Map<String, Long> LARGEST = new LinkedHashMap<>();

  private AllocationFigures() {}

  static void add(AllocationCase given, long bytes) {
    String kind =
        given.input() == AllocationCase.Input.ACCEPTED
            ? String.format(Locale.ROOT, "accepted, records: %,d", given.records())
            : "refused by our own checks";
    add(given.codec(), kind, bytes);
  }

  static void add(Codec codec, String kind, long bytes) {
    LARGEST.merge(codec.name().toLowerCase(Locale.ROOT) + "\t" + kind, bytes, Math::max);
  }

  /** Writes what was collected so far, by this test class and those before it. */
  static void write() {
    String file = System.getProperty(FILE_PROPERTY);
    if (file == null) {
      return;
    }
    List<String> lines = new ArrayList<>();
    lines.add("JVM\t" + Runtime.version().feature());
    lines.add("LIBRARIES\t" + libraries());
    LARGEST.forEach((key, bytes) -> lines.add(key + "\t" + bytes));
    try {
      Files.write(Path.of(file), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the libraries that are really loaded, not those compiled against. */
  private static String libraries() {
    return Stream.of(ZstdDecompressCtx.class, LZ4Factory.class, Snappy.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
        .map(path -> path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.jar$", ""))
        .collect(Collectors.joining(", "));
  }
}
