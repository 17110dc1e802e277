// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import static io.github.batchvalidator.testing.RecordBytes.varint;

import io.github.batchvalidator.hostile.HostileInput.Topic;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects inputs, class by class. */
final class Rows {
  private static final int VALUE_BYTES = 1000;

  /** What rows hold where the records are not what is wrong: the first and the second record. */
  static final byte[] ONE = record(0);

  static final byte[] TWO = record(1);

  private final List<HostileInput> all = new ArrayList<>();
  private String family = "";
  private Topic topic = Topic.ORDINARY;
  private Codec codec = Codec.NONE;

  /** Returns an honest record of a kilobyte. */
  static byte[] record(int offsetDelta) {
    return new RecordBytes()
        .offsetDelta(varint(offsetDelta, 1))
        .value(varint(VALUE_BYTES, 1), Plain.JSON.bytes(VALUE_BYTES))
        .toBytes();
  }

  /** Returns so many of them. */
  static byte[] records(int count) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      out.writeBytes(record(i));
    }
    return out.toByteArray();
  }

  /** Starts a class of inputs, for an ordinary topic. */
  Rows of(String words) {
    family = words;
    topic = Topic.ORDINARY;
    return this;
  }

  Rows to(Topic where) {
    topic = where;
    return this;
  }

  /** Sets the codec of the streams that follow. */
  Rows codec(Codec next) {
    codec = next;
    return this;
  }

  List<HostileInput> all() {
    return List.copyOf(all);
  }

  /** Adds an input with its answers, null for accepted. */
  HostileInput add(
      String name, @Nullable Reason kafka, @Nullable Reason strict, Supplier<byte[]> bytes) {
    HostileInput input = new HostileInput(family, name, topic, bytes, kafka, strict);
    all.add(input);
    return input;
  }

  /** Adds one that every level accepts. */
  HostileInput sound(String name, Supplier<byte[]> bytes) {
    return add(name, null, null, bytes);
  }

  /** Adds one that only level STRICT refuses. */
  HostileInput lax(String name, Reason strict, Supplier<byte[]> bytes) {
    return add(name, null, strict, bytes);
  }

  /** Adds one that is refused for the same reason at both levels. */
  HostileInput refused(String name, Reason why, Supplier<byte[]> bytes) {
    return add(name, why, why, bytes);
  }

  // ---- streams of the current codec

  HostileInput soundStream(String name, int records, byte[]... parts) {
    return sound(name, batch(records, parts));
  }

  HostileInput laxStream(String name, Reason strict, byte[]... parts) {
    return lax(name, strict, batch(1, parts));
  }

  HostileInput refusedStream(String name, Reason why, byte[]... parts) {
    return refused(name, why, batch(1, parts));
  }

  /** Returns a batch around a stream of the current codec. */
  Supplier<byte[]> batch(int records, byte[]... parts) {
    Codec used = codec;
    return () -> Batches.ofPayload(used, records, Bytes.concat(parts)).array();
  }
}
