// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.repair.Repair;
import io.github.batchvalidator.audit.repair.RepairOptions;
import io.github.batchvalidator.audit.repair.RepairTarget;
import io.github.batchvalidator.audit.report.RepairSummary;
import io.github.batchvalidator.audit.report.RepairSummary.Kind;
import io.github.batchvalidator.audit.report.RepairSummary.Problem;
import io.github.batchvalidator.audit.report.Report;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A repair of a partition from directories of this machine. */
final class Repaired {
  private static final RepairOptions UNCOMPACTED =
      new RepairOptions(null, false, false, false, true, false);

  private final Path into;
  private RepairOptions options = UNCOMPACTED;
  private final List<Path> copies = new ArrayList<>();
  private @Nullable RepairSummary summary;

  /** Creates a repair into a directory that may not exist. */
  Repaired(Path into) {
    this.into = into;
  }

  Repaired from(Path directory) {
    copies.add(directory);
    return this;
  }

  Repaired options(RepairOptions next) {
    options = next;
    return this;
  }

  Repaired run() throws IOException, InterruptedException {
    List<Repair.Input> inputs = new ArrayList<>();
    for (Path copy : copies) {
      inputs.add(input(copy));
    }
    return run(inputs, copies);
  }

  /** Returns a directory as a copy to repair from. */
  static Repair.Input input(Path copy) {
    SegmentFiles files =
        new SegmentFiles(
            (name, why) -> {
              throw new IllegalStateException(name + ": " + why);
            });
    files.add(copy.toString());
    List<Segment> segments = files.segments().toList();
    Partition partition = Objects.requireNonNull(segments.get(0).partition());
    return new Repair.Input(copy.toString(), partition, segments);
  }

  Repaired run(List<Repair.Input> inputs, List<Path> directories)
      throws IOException, InterruptedException {
    Repair repair = new Repair(inputs, options, Audited.settings());
    String name = inputs.get(0).partition().directory();
    RepairTarget target = RepairTarget.of(into, name, directories);
    SliceMerge merge =
        new SliceMerge(repair.watch(new Report() {}), options.compacted()).planning(repair);
    new CheckRun(Audited.settings(), repair.segments(), merge, bytes -> {}).run();
    merge.endPartitions();
    summary = repair.write(target);
    return this;
  }

  RepairSummary summary() {
    RepairSummary known = summary;
    if (known == null) {
      throw new IllegalStateException("not run");
    }
    return known;
  }

  boolean isDone() {
    return !summary().target().isEmpty();
  }

  /** Returns the kinds of problems, each once. */
  List<Kind> kinds() {
    return summary().problems().stream().map(Problem::kind).distinct().toList();
  }

  /** Returns the kinds and the sentences of the problems, one a line. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (Problem each : summary().problems()) {
      text.append(each.kind()).append(' ').append(each.firstOffset()).append(" to ");
      text.append(each.lastOffset()).append(": ").append(each.message()).append('\n');
    }
    return text.append(summary().notes()).toString();
  }

  Path directory() {
    return Path.of(summary().target());
  }

  /** Returns the names of all segments whose bytes are not those in a directory. */
  List<String> segmentsThatDiffer(Path expected) throws IOException {
    return differences(expected, directory()).stream()
        .filter(each -> each.contains(".log"))
        .toList();
  }

  /** Returns the names of all files of a directory whose bytes are not those in another one. */
  static List<String> differences(Path expected, Path actual) throws IOException {
    Map<String, byte[]> files = files(expected);
    Map<String, byte[]> others = files(actual);
    List<String> names = new ArrayList<>();
    Map<String, Boolean> all = new LinkedHashMap<>();
    files.keySet().forEach(name -> all.put(name, true));
    others.keySet().forEach(name -> all.put(name, true));
    for (String name : all.keySet()) {
      if (!files.containsKey(name)) {
        names.add(name + " is not expected");
      } else if (!others.containsKey(name)) {
        names.add(name + " is missing");
      } else if (!Arrays.equals(files.get(name), others.get(name))) {
        names.add(name + " differs");
      }
    }
    return names;
  }

  private static Map<String, byte[]> files(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> listed = Files.list(directory)) {
      for (Path each : listed.toList()) {
        files.put(each.getFileName().toString(), Files.readAllBytes(each));
      }
    }
    return files;
  }
}
