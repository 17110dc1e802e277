// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.print.Style;
import io.github.batchvalidator.audit.print.TextReport;
import io.github.batchvalidator.audit.print.TextReport.Detail;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileSummary;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RunSummary;
import io.github.batchvalidator.audit.report.SegmentReason;
import io.github.batchvalidator.audit.report.Tally;
import io.github.batchvalidator.rule.Codec;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report for people, as a terminal shows it. */
class TextReportTest {
  private static final int COLUMNS = 80;
  private static final Fault FAULT =
      Fault.of(SegmentReason.SEGMENT_OFFSETS_OUT_OF_ORDER, 4104, 8, 8, 11);

  @TempDir private Path directory;

  @Test
  void theFaultyFileAmongManyComesFirst() {
    StringWriter out = new StringWriter();
    TextReport report =
        new TextReport(new PrintWriter(out), Style.PLAIN, Detail.VERBOSE, "./check");
    Tally all = new Tally();
    for (int i = 0; i < 1000; i++) {
      Tally tally = new Tally();
      if (i == 700) {
        tally.fault(FAULT);
        report.fault("700.log", FAULT);
      }
      all.add(tally);
      report.file(new FileSummary(i + ".log", 10, 0, 0, true, tally));
    }
    report.summary(new RunSummary(1000, 10_000, 0, 0, 1, false, all));
    List<String> lines = out.toString().lines().toList();
    String verdict = "1 fault in 1 file; checked 1000 files, 0 batches, 0 records";
    assertEquals(
        List.of(
            verdict,
            "",
            "700.log",
            "  FAULT SEGMENT_OFFSETS_OUT_OF_ORDER",
            "    byte 4104, offset 8: base offset is 8, the batch before it ends at 11",
            "",
            "700.log: 1 fault"),
        lines.subList(0, 7));
    assertEquals(verdict, lines.get(lines.size() - 1));
  }

  /** More files than the report keeps faults. */
  @Test
  void allFilesWithFaultsAreCounted() {
    StringWriter out = new StringWriter();
    TextReport report = new TextReport(new PrintWriter(out), Style.PLAIN, Detail.NORMAL, "./check");
    Tally all = new Tally();
    for (int i = 0; i < 33_000; i++) {
      all.fault(FAULT);
      report.fault(i % 30_000 + ".log", FAULT);
      report.fault(i + ".log", FAULT.asFinding());
    }
    report.summary(new RunSummary(30_000, 1, 0, 0, 1, false, all));
    assertTrue(out.toString().startsWith("33000 faults in 30000 files;"), out::toString);
  }

  @Test
  void cleanTopicsAreSummedUp() {
    StringWriter out = new StringWriter();
    TextReport report = new TextReport(new PrintWriter(out), Style.PLAIN, Detail.NORMAL, "./check");
    for (int i = 0; i < 20; i++) {
      report.partition(partition("topic" + i, i == 17 ? 3 : 0));
    }
    report.summary(new RunSummary(20, 1, 0, 0, 1, false, new Tally()));
    List<String> lines = out.toString().lines().toList();
    assertTrue(lines.get(3).matches("topic17 +1 +2 +0 +3"), out::toString);
    assertTrue(lines.get(4).matches("19 other topics without faults +19 +38 +0 +0"), out::toString);
    assertEquals("", lines.get(5));
  }

  private static PartitionSummary partition(String topic, long segmentFaults) {
    return new PartitionSummary(
        topic + "-0", topic, 2, 0, 9, false, 0, 0, 0, 0, 0, -1, 0, 0, 0, segmentFaults, 0);
  }

  /** Batches of all codecs, long numbers, a producer and several kinds of faults. */
  @Test
  void allLinesFitTheTerminal() {
    SegmentBytes segment = new SegmentBytes();
    segment.addAt(1L << 50, SegmentBytes.batch(Codec.NONE, 3, 1));
    for (Codec codec : Codec.values()) {
      segment.add(SegmentBytes.batch(codec, 200, 1));
    }
    segment.addAt(7, SegmentBytes.batch(Codec.ZSTD, 3, 1));
    segment.addAt(20, SegmentBytes.batch(Codec.ZSTD, 3, 1)).addRaw(new byte[100]);
    byte[] bytes = segment.toByteArray();
    bytes[segment.position(2) - 1] ^= 1;
    bytes[segment.position(4) + 8] ^= -1;
    SegmentBytes.write(directory.resolve("a-0"), "00000000000000000000.log", bytes);
    for (String detail : List.of("-v", "-q", "--observe")) {
      Run run = Run.of(detail, directory.toString());
      for (String line : run.out().lines().toList()) {
        boolean isName = line.contains(directory.toString()) || line.startsWith("  next: ");
        assertTrue(isName || line.length() <= COLUMNS, line);
      }
    }
  }

  @Test
  void explanationsFitTheTerminal() {
    for (SegmentReason reason : SegmentReason.values()) {
      Run run = Run.of("--explain", reason.name());
      assertTrue(run.out().startsWith(reason.name() + ": "), run.out());
      assertTrue(run.out().lines().allMatch(line -> line.length() <= COLUMNS), run.out());
      assertTrue(!run.out().contains(".md"), run.out());
    }
  }
}
