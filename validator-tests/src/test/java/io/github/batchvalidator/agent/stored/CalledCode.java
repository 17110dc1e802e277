// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.VisibleClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kafka's methods that a part of the agent replaces or calls, and the table of their digests. */
final class CalledCode {
  private static final String LOG = "org/apache/kafka/storage/internals/log/";
  private static final String EPOCH = "org/apache/kafka/storage/internals/epoch/";
  private static final List<String> RECORD =
      List.of("org/apache/kafka/common/record/", "org/apache/kafka/common/record/internal/");

  private static final String HEAD =
      """
      # The digests of Kafka's methods that a part of the agent replaces or calls.
      # part, class, method or *, digest, versions of Kafka. KnownCodeIT writes this file.
      """;

  private final String part;
  private final Map<String, List<String>> methods = new LinkedHashMap<>();

  private CalledCode(String part) {
    this.part = part;
  }

  /** Returns the methods of recovery. */
  static CalledCode ofRecovery() {
    CalledCode code = new CalledCode(Part.RECOVERY.label());
    code.add(
        LOG + "LogSegment",
        "recover",
        "updateProducerState",
        "updateTxnIndex",
        "ensureOffsetInRange",
        "canConvertToRelativeOffset",
        "readMaxTimestampAndOffsetSoFar",
        "maxTimestampSoFar",
        "shallowOffsetOfMaxTimestampSoFar",
        "offsetIndex",
        "timeIndex",
        "txnIndex",
        "log");
    code.add(LOG + "AbstractIndex", "*");
    code.add(LOG + "OffsetIndex", "*");
    code.add(LOG + "TimeIndex", "*");
    code.add(LOG + "TransactionIndex", "reset", "append");
    code.add(
        LOG + "ProducerStateManager",
        "prepareUpdate",
        "update",
        "addProducerId",
        "lastEntry",
        "updateMapEndOffset",
        "updateOldestTxnTimestamp",
        "lastStableOffset",
        "findNextIncompleteTxn",
        "completeTxn");
    code.add(LOG + "ProducerAppendInfo", "*");
    code.add(LOG + "ProducerStateEntry", "*");
    code.add(
        EPOCH + "LeaderEpochFileCache",
        "assign",
        "isUpdateNeeded",
        "maybeTruncateNonMonotonicEntries",
        "latestEpoch",
        "latestEntry");
    for (String record : RECORD) {
      code.add(record + "FileRecords", "batches", "batchesFrom", "batchIterator", "truncateTo");
      code.add(record + "FileLogInputStream", "nextBatch");
      code.add(record + "FileLogInputStream$FileChannelRecordBatch", "*");
      code.add(record + "DefaultRecordBatch", "*");
      code.add(record + "EndTransactionMarker", "*");
      code.add(record + "ControlRecordType", "parse", "parseTypeId", "fromTypeId");
    }
    return code;
  }

  /** Returns the methods that cut or delete. */
  static CalledCode ofKeeping() {
    CalledCode code = new CalledCode(Part.KEEP.label());
    code.add(LOG + "LogSegment", "recover", "truncateTo", "offsetIndexFile", "deleteIfExists");
    code.add(
        LOG + "LogLoader",
        "recoverLog",
        "recoverSegment",
        "loadSegmentFiles",
        "deleteSegmentsIfLogStartGreaterThanLogEnd",
        "removeAndDeleteSegmentsAsync");
    code.add(LOG + "LocalLog", "deleteSegmentFiles");
    for (String record : RECORD) {
      code.add(record + "FileRecords", "truncateTo");
    }
    return code;
  }

  /** Returns the methods that compact, and those that call them. */
  static CalledCode ofCompaction() {
    CalledCode code = new CalledCode(Part.COMPACTION.label());
    code.add(
        LOG + "Cleaner",
        "doClean",
        "buildOffsetMap",
        "buildOffsetMapForSegment",
        "groupSegmentsBySize",
        "cleanSegments",
        "cleanInto");
    code.add(
        LOG + "LogCleaner$CleanerThread",
        "checkDone",
        "tryCleanFilthiestLog",
        "cleanFilthiestLog",
        "cleanLog");
    code.add(LOG + "LogSegment", "offsetIndexFile", "baseOffset", "size");
    code.add(LOG + "UnifiedLog", "topicPartition");
    code.add("org/apache/kafka/storage/internals/utils/Throttler", "maybeThrottle");
    for (String record : RECORD) {
      code.add(record + "MemoryRecords", "readableRecords", "records");
    }
    return code;
  }

  private void add(String owner, String... names) {
    methods.put(owner, List.of(names));
  }

  /**
   * Returns the table.
   *
   * @param versions the class path of each version of Kafka
   */
  static String table(List<CalledCode> parts, Map<String, List<Path>> versions) throws IOException {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (CalledCode part : parts) {
      for (Map.Entry<String, List<String>> each : part.methods.entrySet()) {
        for (String method : each.getValue()) {
          part.addLines(each.getKey(), method, versions, lines);
        }
      }
    }
    StringBuilder table = new StringBuilder(HEAD);
    lines.forEach(
        (line, found) ->
            table.append(line).append(' ').append(String.join(",", found)).append('\n'));
    return table.toString();
  }

  private void addLines(
      String owner,
      String method,
      Map<String, List<Path>> versions,
      Map<String, List<String>> lines)
      throws IOException {
    for (Map.Entry<String, List<Path>> version : versions.entrySet()) {
      try (ClassPathLoader loader = ClassPathLoader.of(version.getValue())) {
        VisibleClasses classes = new VisibleClasses(loader);
        String digest =
            classes.has(owner) ? KnownCode.digest(CodeText.of(classes.bytes(owner)), method) : "";
        if (!digest.isEmpty()) {
          String line = String.join(" ", part, owner, method, digest);
          lines.computeIfAbsent(line, any -> new ArrayList<>()).add(version.getKey());
        }
      }
    }
  }
}
