// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static java.util.stream.Collectors.toSet;

import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** All hostile inputs, in the order of the table in {@code results/hostile.md}. */
public final class HostileInputs {
  /** The input that costs stock Kafka most of its class, and a cheap one. */
  private static final Set<String> LOADS =
      Set.of(
          "much content from few bytes: gzip",
          "one record that is larger than a heap: zstd",
          "many tiny records: all alike",
          "many records that each are at fault: without key",
          "many tiny headers in one record: empty ones",
          "many tiny members or headers of a stream: gzip",
          "record count far beyond the records: ZSTD",
          "block length far beyond the block: snappy 104857600",
          "wrong checksum: one bit");

  private HostileInputs() {}

  /** Returns those that cost more than their size suggests: the first ones of all. */
  static List<HostileInput> costly() {
    Rows rows = new Rows();
    HostileWork.addTo(rows);
    return rows.all();
  }

  /**
   * Returns, by name, what clients can send to a broker without taking much of it, and a stock
   * validator answers as ours does.
   */
  public static Map<String, byte[]> likeStock() {
    return sent(HostileInputs::isLikeStock);
  }

  /** Returns, by name, what clients can send that a stock validator may answer otherwise. */
  public static Map<String, byte[]> unlikeStock() {
    return sent(input -> !isLikeStock(input));
  }

  /** Returns inputs to send at full speed, one per class. */
  public static List<HostileLoad> loads() {
    return all().stream()
        .filter(input -> LOADS.contains(input.toString()))
        .map(input -> new HostileLoad(input.family(), input.bytes(), !input.isFromClients()))
        .toList();
  }

  /** Ambiguous inputs: Kafka's own readers read them in different ways. */
  private static boolean isLikeStock(HostileInput input) {
    return !input.isUnlikeStock()
        && input.expected(HostileInput.Look.STRICT) != Reason.CODEC_STREAM_AMBIGUOUS;
  }

  private static Map<String, byte[]> sent(Predicate<HostileInput> wanted) {
    Set<String> costly = costly().stream().map(HostileInput::toString).collect(toSet());
    Map<String, byte[]> sent = new LinkedHashMap<>();
    for (HostileInput input : all()) {
      if (input.isFromClients()
          && isOneBatch(input.bytes())
          && !input.isFellingStock()
          && !costly.contains(input.toString())
          && wanted.test(input)) {
        sent.put(input.toString(), input.bytes());
      }
    }
    return sent;
  }

  /** Tells whether a broker gets to its validator with it: before, it looks at size and codec. */
  private static boolean isOneBatch(byte[] bytes) {
    if (bytes.length < BatchLayout.HEADER_BYTES) {
      return false;
    }
    int size = ByteBuffer.wrap(bytes).getInt(BatchLayout.LENGTH_OFFSET) + BatchLayout.LOG_OVERHEAD;
    int codec = bytes[BatchLayout.ATTRIBUTES_OFFSET + 1] & BatchLayout.CODEC_MASK;
    return size == bytes.length
        && bytes[BatchLayout.MAGIC_OFFSET] == BatchLayout.MAGIC_V2
        && Codec.byId(codec) != null;
  }

  static List<HostileInput> all() {
    Rows rows = new Rows();
    HostileWork.addTo(rows);
    HostileGzip.addTo(rows);
    HostileSnappy.addTo(rows);
    HostileLz4.addTo(rows);
    HostileZstd.addTo(rows);
    HostileRecords.addTo(rows);
    HostileHeaders.addTo(rows);
    HostileMessages.addTo(rows);
    return rows.all();
  }
}
