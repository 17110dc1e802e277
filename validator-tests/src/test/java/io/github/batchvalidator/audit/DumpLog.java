// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.ChildJvm;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What kafka-dump-log of Kafka 4.3 prints, which is the newest that Maven Central has. */
final class DumpLog {
  private static final String LINE = "4.3";
  private static final String TOOL = "org.apache.kafka.tools.DumpLogSegments";
  private static final Pattern BATCH =
      Pattern.compile(
          "baseOffset: (\\d+) lastOffset: (\\d+) count: (\\d+) .* isControl: (true|false) .*"
              + "isvalid: (true|false)");
  private static final Pattern START = Pattern.compile("Dumping (.*)");
  private static final Pattern PROBLEM = Pattern.compile(".* in :(.*)");
  private static final Pattern ENTRY = Pattern.compile(" *Index(ed)? (offset|timestamp): .*");

  /** The text of the tool for a batch whose records the cleaner has removed. */
  private static final String EMPTY_BATCH = "log timestamp: -1";

  private String file = "";
  private final Map<String, Figures> figures = new HashMap<>();
  private final Map<String, Integer> mismatches = new TreeMap<>();

  /** The figures of a segment that an audit has, too. */
  record Figures(long batches, long records, long control, long invalid, long first, long last) {
    static final Figures NONE = new Figures(0, 0, 0, 0, -1, -1);

    /** Returns the figures of an audit in which each fault is a batch with a wrong checksum. */
    static Figures of(FileSummary file) {
      boolean isEmpty = file.tally().batches() == 0;
      return new Figures(
          file.tally().batches(),
          file.tally().records(),
          file.tally().controlBatches(),
          file.tally().faults(),
          isEmpty ? -1 : file.firstOffset(),
          isEmpty ? -1 : file.lastOffset());
    }

    private Figures with(Matcher batch) {
      boolean isValid = batch.group(5).equals("true");
      return new Figures(
          batches + 1,
          records + (isValid ? Long.parseLong(batch.group(3)) : 0),
          control + (batch.group(4).equals("true") ? 1 : 0),
          invalid + (isValid ? 0 : 1),
          batches == 0 ? Long.parseLong(batch.group(1)) : first,
          Long.parseLong(batch.group(2)));
    }
  }

  private DumpLog() {}

  /** Returns true for a file that the tool reads. */
  static boolean reads(Path file) {
    return file.toString().matches(".*/\\d{20}(-\\d{10})?\\.(log|index|timeindex|checkpoint)");
  }

  /** Runs the tool. */
  static DumpLog of(Path folder, List<Path> files) throws Exception {
    String names = files.stream().map(Path::toString).collect(Collectors.joining(","));
    String output =
        ChildJvm.run(
            folder,
            Lines.jars().stock(LINE),
            List.of("-Dlog4j2.level=OFF", "-XX:TieredStopAtLevel=1"),
            List.of(TOOL, "--files", names));
    DumpLog dump = new DumpLog();
    output.lines().forEach(dump::read);
    return dump;
  }

  private void read(String line) {
    Matcher start = START.matcher(line);
    Matcher batch = BATCH.matcher(line);
    Matcher problem = PROBLEM.matcher(line);
    if (start.matches()) {
      file = start.group(1);
      figures.put(file, Figures.NONE);
    } else if (problem.matches()) {
      file = problem.group(1);
    } else if (ENTRY.matcher(line).matches() && !line.endsWith(EMPTY_BATCH)) {
      mismatches.merge(file, 1, Integer::sum);
    } else if (batch.find()) {
      figures.compute(file, (any, old) -> (old == null ? Figures.NONE : old).with(batch));
    }
  }

  /** Returns the figures of a segment. */
  Figures figures(String segment) {
    return figures.getOrDefault(segment, Figures.NONE);
  }

  /** Returns the number of wrong entries of each index that has any. */
  Map<String, Integer> mismatches() {
    return mismatches;
  }
}
