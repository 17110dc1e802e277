// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.cli.ProfiledValues.Place;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.format.BatchHeader;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.BigEndian;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Reads the records of sound batches and counts what they look like, topic by topic. Several
 * threads may add batches; one reads at a time, because reading takes less time than checking.
 */
final class RecordProfiler implements AutoCloseable {
  private static final int ID_BYTES = 1 + Integer.BYTES;
  private static final int GUID_BYTES = 1 + 2 * Long.BYTES;
  private static final int MOST_TOPICS = 10_000;

  private final PayloadReader reader = new PayloadReader(WindowDecoders.fastest());
  private final RecordIterator records = new RecordIterator();
  private final BatchHeader header = new BatchHeader();
  private final MutableVerdict verdict = new MutableVerdict(0);
  private final Map<String, TopicProfile> topics = new TreeMap<>();
  private final Set<String> headersOfRecord = new HashSet<>();

  /**
   * Adds a batch that was accepted. Control batches and messages of magic 0 and 1 are not profiled.
   *
   * @param buffer contains the batch at its position
   * @param segment the segment of the batch
   * @param position of the batch in the segment
   */
  synchronized void add(ByteBuffer buffer, Segment segment, long position) {
    header.read(buffer, buffer.position());
    Codec codec = Codec.byId(header.codecId());
    if (header.magic() != BatchLayout.MAGIC_V2 || header.isControl() || codec == null) {
      return;
    }
    boolean isTopic = !segment.topic().isEmpty();
    String name = isTopic ? segment.topic() : segment.name();
    boolean hasRoom = topics.size() < MOST_TOPICS || topics.containsKey(name);
    TopicProfile profile =
        topics.computeIfAbsent(
            hasRoom ? name : ProfiledValues.OTHERS,
            each -> new TopicProfile(each, isTopic && hasRoom));
    Place place = new Place(segment.name(), position, header.baseOffset());
    profile.batch(codec.name().toLowerCase(Locale.ROOT), place);
    int from = header.start() + BatchLayout.HEADER_BYTES;
    reader.select(buffer, from, header.sizeInBytes() - BatchLayout.HEADER_BYTES);
    if (reader.open(codec, Limits.UNBOUNDED_AS_KAFKA, StreamChecks.KAFKA, verdict)) {
      read(codec, profile, place);
      records.release();
    }
    reader.release();
  }

  private void read(Codec codec, TopicProfile profile, Place place) {
    if (codec == Codec.NONE) {
      records.openStored(
          reader.window(), header.recordCount(), reader.length(), Limits.UNBOUNDED_AS_KAFKA);
    } else {
      records.open(reader.window(), header.recordCount(), Limits.UNBOUNDED_AS_KAFKA);
    }
    while (records.next()) {
      byte[] array = records.array();
      int keyAt = records.keyPosition();
      int valueAt = records.valuePosition();
      profile.record(header.baseTimestamp() + records.timestampDelta());
      profile.key(records.keySize(), start(array, keyAt, records.keySize()), place);
      profile.value(records.valueSize(), start(array, valueAt, records.valueSize()), place);
      readHeaders(profile, place);
      addPayloadId(true, array, keyAt, records.keySize(), profile, place);
      addPayloadId(false, array, valueAt, records.valueSize(), profile, place);
    }
  }

  /**
   * Returns the first bytes of a key or value, with the names of a policy file where it has one.
   */
  private static String start(byte[] array, int at, int size) {
    if (size < 0) {
      return TopicProfile.NULL;
    }
    if (size == 0) {
      return TopicProfile.EMPTY;
    }
    if (array[at] == 0 && size >= ID_BYTES) {
      return TopicProfile.CONFLUENT;
    }
    if (size >= 4 && array[at] == 'O' && array[at + 1] == 'b' && array[at + 2] == 'j') {
      return "avro";
    }
    return switch (array[at]) {
      case '{' -> "json-object";
      case '[' -> "json-array";
      default -> "hex:" + HexFormat.of().formatHex(array, at, at + 1);
    };
  }

  private void addPayloadId(
      boolean ofKey, byte[] array, int at, int size, TopicProfile profile, Place place) {
    boolean inHeader = headersOfRecord.contains(ofKey ? "__key_schema_id" : "__value_schema_id");
    if (!inHeader && size >= ID_BYTES && array[at] == 0) {
      long id = Integer.toUnsignedLong(BigEndian.getInt(array, at + 1));
      profile.schema(ofKey, "payload " + id, place);
    }
  }

  private void readHeaders(TopicProfile profile, Place place) {
    headersOfRecord.clear();
    byte[] array = records.array();
    int at = records.headersPosition();
    for (int i = 0; i < records.headerCount(); i++) {
      int keyAt = afterNumber(array, at);
      int keySize = number(array, at, keyAt);
      int sizeAt = keyAt + keySize;
      int valueAt = afterNumber(array, sizeAt);
      int valueSize = number(array, sizeAt, valueAt);
      String key = new String(array, keyAt, keySize, StandardCharsets.UTF_8);
      if (headersOfRecord.add(key)) {
        profile.header(key, place);
        addHeaderId(key, array, valueAt, valueSize, profile, place);
      }
      at = valueAt + Math.max(valueSize, 0);
    }
  }

  private static void addHeaderId(
      String key, byte[] array, int at, int size, TopicProfile profile, Place place) {
    boolean ofKey = key.equals("__key_schema_id") || key.equals("apicurio.key.globalId");
    boolean isConfluent = key.equals("__key_schema_id") || key.equals("__value_schema_id");
    boolean isApicurio =
        key.equals("apicurio.key.globalId") || key.equals("apicurio.value.globalId");
    if (isConfluent && size == ID_BYTES && array[at] == 0) {
      long id = Integer.toUnsignedLong(BigEndian.getInt(array, at + 1));
      profile.schema(ofKey, "header " + id, place);
    } else if (isConfluent && size == GUID_BYTES && array[at] == 1) {
      UUID guid =
          new UUID(BigEndian.getLong(array, at + 1), BigEndian.getLong(array, at + 1 + Long.BYTES));
      profile.schema(ofKey, "header " + guid, place);
    } else if (isApicurio && size == Long.BYTES) {
      profile.schema(ofKey, "header global:" + BigEndian.getLong(array, at), place);
    }
  }

  private static int afterNumber(byte[] array, int from) {
    int at = from;
    while (array[at] < 0) {
      at++;
    }
    return at + 1;
  }

  /** Returns the zig-zag number in some bytes, which the iterator has read. */
  private static int number(byte[] array, int from, int to) {
    int raw = 0;
    for (int at = to - 1; at >= from; at--) {
      raw = (raw << (Byte.SIZE - 1)) | (array[at] & 0x7F);
    }
    return (raw >>> 1) ^ -(raw & 1);
  }

  /** Prints the profiles of all topics. */
  synchronized void print(PrintWriter out) {
    topics.values().forEach(profile -> profile.print(out));
  }

  @Override
  public synchronized void close() {
    reader.close();
  }
}
