// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.compare.CompareReport;
import io.github.batchvalidator.audit.compare.CompareRun;
import io.github.batchvalidator.audit.compare.CopyPart;
import io.github.batchvalidator.audit.compare.Difference;
import io.github.batchvalidator.audit.compare.DigestFile;
import io.github.batchvalidator.audit.compare.PartitionComparison;
import io.github.batchvalidator.audit.source.LocalFile;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The results of a comparison of log directories. */
final class Compared implements CompareReport {
  private final List<PartitionComparison> partitions = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private @Nullable Summary summary;

  Compared() {}

  /** Compares the partitions of some log directories, or of digest files. */
  static Compared of(boolean compacted, Path... directories) {
    Compared compared = new Compared();
    CompareRun run = new CompareRun(2, compacted, compared, bytes -> {});
    Arrays.stream(directories).filter(Files::isRegularFile).forEach(file -> add(run, file));
    Arrays.stream(directories)
        .filter(Files::isDirectory)
        .flatMap(Compared::children)
        .map(PartitionDirectory::of)
        .filter(Objects::nonNull)
        .forEach(run::add);
    try {
      run.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return compared;
  }

  private static void add(CompareRun run, Path digest) {
    try {
      run.add(DigestFile.open(new LocalFile(digest)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> children(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isDirectory).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void partition(PartitionComparison result) {
    partitions.add(result);
  }

  @Override
  public void single(String partition, String copy) {
    // The summary counts them.
  }

  @Override
  public void error(String file, String message) {
    errors.add(file + ": " + message);
  }

  @Override
  public void summary(Summary run) {
    summary = run;
  }

  Summary summary() {
    return Objects.requireNonNull(summary);
  }

  List<String> errors() {
    return errors;
  }

  /** Returns the results for all partitions. */
  List<PartitionComparison> partitions() {
    return partitions;
  }

  /** Returns the result for the only partition. */
  PartitionComparison partition() {
    if (partitions.size() != 1) {
      throw new AssertionError(partitions);
    }
    return partitions.get(0);
  }

  /**
   * Returns the differences that must not be: the reason, the offsets and the first letters of what
   * the copies have, for example {@code COPY_DAMAGED 40-44 sds}.
   */
  List<String> differences() {
    return partitions.stream()
        .flatMap(each -> each.differences().stream())
        .filter(Difference::committed)
        .map(Compared::text)
        .toList();
  }

  /** Returns the differences that may be, because the offsets are not committed. */
  List<String> uncommitted() {
    return partitions.stream()
        .flatMap(each -> each.differences().stream())
        .filter(each -> !each.committed())
        .map(Compared::text)
        .toList();
  }

  private static String text(Difference difference) {
    String parts = difference.parts().stream().map(Compared::letter).collect(Collectors.joining());
    return difference.reason()
        + " "
        + difference.firstOffset()
        + "-"
        + difference.lastOffset()
        + " "
        + parts;
  }

  private static String letter(CopyPart part) {
    return switch (part.state()) {
      case SOUND -> "s";
      case DAMAGED -> "d";
      case MISSING -> "m";
      case MISPLACED -> "p";
      case UNKNOWN -> "?";
    };
  }

  /** Returns the sentences of all differences. */
  List<String> messages() {
    return partitions.stream()
        .flatMap(each -> each.differences().stream())
        .map(each -> each.reason() + ": " + each.message() + " " + each.parts())
        .toList();
  }
}
