// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.partition;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.PartitionReason;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A check of the small files that a broker reads before the log: {@code partition.metadata}, and
 * {@code quorum-state} of KRaft. A broker does not start if one of them is damaged.
 */
final class StateFilesCheck {
  private static final String METADATA = "partition.metadata";
  private static final String QUORUM_STATE = "quorum-state";
  private static final List<String> METADATA_KEYS = List.of("version: ", "topic_id: ");
  private static final int ID_BYTES = 16;
  private static final int MAX_LINE = 1 << 10;
  private static final List<String> QUORUM_NUMBERS = List.of("leaderId", "leaderEpoch", "votedId");
  private static final int QUORUM_VERSIONS = 2;
  private static final JsonFactory JSON = new JsonFactory();

  private final PartitionFaults faults;

  private StateFilesCheck(PartitionFaults faults) {
    this.faults = faults;
  }

  /** Checks the files of a partition. */
  static void check(Partition partition, PartitionFaults faults) {
    StateFilesCheck check = new StateFilesCheck(faults);
    check.read(partition.file(METADATA), check::checkMetadata);
    check.read(partition.file(QUORUM_STATE), check::checkQuorumState);
  }

  private interface Reading {
    void read(StoredFile file) throws IOException;
  }

  private void read(@Nullable StoredFile file, Reading reading) {
    if (file == null) {
      return;
    }
    try {
      reading.read(file);
    } catch (IOException e) {
      faults.unread(file.name(), e);
    }
  }

  private void checkMetadata(StoredFile file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(file.open(), StandardCharsets.ISO_8859_1), MAX_LINE)) {
      for (int i = 0; i < METADATA_KEYS.size(); i++) {
        String key = METADATA_KEYS.get(i);
        String line = line(in);
        String value = line.startsWith(key) ? line.substring(key.length()).trim() : "";
        if (!(i == 0 ? value.equals("0") : isTopicId(value))) {
          String what = i == 0 ? "not \"version: 0\"" : "not \"topic_id: \" and a topic id";
          add(file, PartitionReason.PARTITION_METADATA_UNREADABLE, i + 1, what);
          return;
        }
      }
    }
  }

  /** Returns the next line, or its first bytes if it is longer than any that Kafka writes. */
  private static String line(BufferedReader in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n' && line.length() < MAX_LINE) {
      line.append((char) next);
      next = in.read();
    }
    return line.toString();
  }

  private static boolean isTopicId(String text) {
    try {
      byte[] id = Base64.getUrlDecoder().decode(text);
      int bits = 0;
      for (byte each : id) {
        bits |= each;
      }
      return id.length == ID_BYTES && bits != 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void checkQuorumState(StoredFile file) throws IOException {
    String problem;
    try (InputStream in = file.open();
        JsonParser parser = JSON.createParser(in)) {
      problem = problem(numbers(parser));
    } catch (JsonProcessingException e) {
      problem = "not a JSON object";
    }
    if (problem != null) {
      add(file, PartitionReason.QUORUM_STATE_UNREADABLE, problem);
    }
  }

  /** Returns the numbers of the object, or an empty map if there is no object. */
  private static Map<String, Long> numbers(JsonParser parser) throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return numbers;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        numbers.put(name, parser.getLongValue());
      } else {
        parser.skipChildren();
      }
    }
    return numbers;
  }

  private static @Nullable String problem(Map<String, Long> numbers) {
    Long version = numbers.get("data_version");
    if (version == null || version < 0 || version >= QUORUM_VERSIONS) {
      return "no known data_version";
    }
    for (String name : QUORUM_NUMBERS) {
      Long value = numbers.get(name);
      if (value == null || value < -1 || value > Integer.MAX_VALUE) {
        return name + (value == null ? " is missing" : " is " + value);
      }
    }
    return null;
  }

  private void add(StoredFile file, PartitionReason reason, Object... operands) {
    faults.add(file.name(), Fault.of(reason, 0, Fault.UNKNOWN, operands));
  }
}
