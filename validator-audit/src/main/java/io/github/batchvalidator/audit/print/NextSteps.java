// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import io.github.batchvalidator.audit.report.CommittedOffsets;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.MetadataLog;
import io.github.batchvalidator.audit.report.StoredBatch;
import io.github.batchvalidator.audit.source.PartitionDirectory;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The commands that follow from a fault, with the paths and offsets of the fault. Words in capital
 * letters are for the user to fill in.
 */
public final class NextSteps {
  /** The stored bytes are not those that were written, so a copy may be sound. */
  private static final Pattern DAMAGE =
      Pattern.compile(
          "BATCH_CRC_MISMATCH|BATCH_HEADER_INCOMPLETE|FRAMING_.*|SEGMENT_.*|PARTITION_.*|EPOCH_.*"
              + "|TRANSACTION_MARKER_UNREADABLE");

  /** The batches are sound, and the files beside them are not. */
  private static final Pattern DERIVED =
      Pattern.compile("INDEX_.*|TIMEINDEX_.*|TXNINDEX_.*|PRODUCER_SNAPSHOT_.*");

  /** Another copy shows whether the batches are those that were written. */
  private static final Pattern OF_PRODUCERS =
      Pattern.compile("PRODUCER_(SEQUENCE|EPOCH)_.*|TRANSACTION_.*");

  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  /** The start of a name that only Hadoop can read, which {@code ./audit} prints. */
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/");

  /** The same in each report, however the program was started. */
  private static final String CHECK = "./check";

  private static final String ANY_GROUP = "GROUP";

  /** The maximum number of groups that are named for a fault. */
  private static final int MAX_GROUPS = 100;

  private final Supplier<@Nullable CommittedOffsets> offsets;

  /**
   * Creates the steps of a run.
   *
   * @param offsets reads the offsets of groups when they are asked for first, or returns null
   */
  NextSteps(Supplier<@Nullable CommittedOffsets> offsets) {
    this.offsets = offsets;
  }

  /** Returns the commands that follow from a reason, with words to fill in. */
  public static List<String> of(String reason) {
    return ofReason(reason, "PARTITION_DIR");
  }

  /** Returns the commands that follow from a fault of a file, the first one first. */
  List<String> of(String file, Fault fault) {
    Path directory = directory(file);
    PartitionDirectory partition = directory == null ? null : PartitionDirectory.of(directory);
    if (directory == null
        || partition == null
        || partition.topic().equals(MetadataLog.TOPIC)) { // no command here is for it
      return List.of();
    }
    List<String> commands =
        SCHEME.matcher(file).lookingAt()
            ? new ArrayList<>()
            : ofReason(fault.reason(), quoted(directory.toString()));
    if (fault.readableFrom() != Fault.UNKNOWN) {
      String topic = quoted(partition.topic() + ":" + partition.number());
      for (String group : groups(partition, fault)) {
        commands.add(
            "kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group "
                + group
                + " --topic "
                + topic
                + " --reset-offsets --to-offset "
                + fault.readableFrom()
                + " --execute");
      }
    }
    return commands;
  }

  private static List<String> ofReason(String reason, String from) {
    List<String> commands = new ArrayList<>();
    if (DAMAGE.matcher(reason).matches()) {
      commands.add(CHECK + " repair --from " + from + " --from REPLICA_DIR --into OUT_DIR");
      commands.add(CHECK + " salvage --into OUT_DIR " + from);
    } else if (DERIVED.matcher(reason).matches()) {
      commands.add(CHECK + " repair --from " + from + " --into OUT_DIR");
    } else if (OF_PRODUCERS.matcher(reason).matches()) {
      commands.add(CHECK + " compare " + from + " REPLICA_DIR");
    }
    return commands;
  }

  /**
   * Returns the groups that stand at the fault, or a word to fill in. A group that stands before it
   * can still read sound records. With a header that may be damaged, a group could skip some.
   */
  private List<String> groups(PartitionDirectory partition, Fault fault) {
    CommittedOffsets committed = isNextKnown(fault) ? offsets.get() : null;
    if (committed == null) {
      return List.of(ANY_GROUP);
    }
    List<String> groups =
        committed.groups(
            partition.topic(), partition.number(), fault.offset(), fault.readableFrom());
    return groups.isEmpty()
        ? List.of(ANY_GROUP)
        : groups.stream().limit(MAX_GROUPS).map(NextSteps::quoted).toList();
  }

  /** Returns true if the offsets of the damage are those of a found batch or agree. */
  private static boolean isNextKnown(Fault fault) {
    StoredBatch batch = fault.batch();
    boolean isFound = fault.isHeaderVerified() || fault.nextOffset() != Fault.UNKNOWN;
    return fault.offset() >= 0
        && (isFound
            || (batch != null
                && batch.lastOffset() - batch.baseOffset() + 1 == batch.recordCount()));
  }

  private static @Nullable Path directory(String file) {
    try {
      return Path.of(file).getParent();
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Returns a word as a shell reads it. */
  private static String quoted(String word) {
    return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
