// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.profile;

import io.github.batchvalidator.audit.profile.ProfiledValues.Place;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.engine.RecordReader;
import io.github.batchvalidator.engine.SchemaHeaders;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.TopicRules;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * Reads the records of sound batches and counts what they look like, topic by topic. Several
 * threads may add batches; one reads at a time, because reading takes less time than checking.
 */
public final class RecordProfiler implements AutoCloseable {
  private static final int ID_BYTES = 1 + Integer.BYTES;
  private static final int GUID_BYTES = 1 + 2 * Long.BYTES;
  private static final String AVRO = "avro";
  private static final Prefix AVRO_START = Objects.requireNonNull(Prefix.parse(AVRO));

  private final RecordReader records = new RecordReader();
  private final BatchHeader header = new BatchHeader();
  private Profiles topics = new Profiles();
  private final Set<String> headersOfRecord = new HashSet<>();
  private final SchemaHeaders schemas = new SchemaHeaders();

  /**
   * Adds a batch that was accepted. Control batches and messages of magic 0 and 1 are not profiled.
   *
   * @param buffer contains the batch at its position
   * @param segment the segment of the batch
   * @param position of the batch in the segment
   */
  public synchronized void add(ByteBuffer buffer, Segment segment, long position) {
    header.read(buffer, buffer.position());
    Codec codec = Codec.byId(header.codecId());
    if (header.magic() != BatchLayout.MAGIC_V2 || header.isControl() || codec == null) {
      return;
    }
    boolean isTopic = !segment.topic().isEmpty();
    String name = isTopic ? segment.topic() : segment.name();
    TopicProfile profile = topics.of(name, isTopic);
    Place place = new Place(segment.name(), position, header.baseOffset());
    profile.batch(codec.name().toLowerCase(Locale.ROOT), place);
    if (records.open(buffer, header, codec)) {
      read(profile, place);
    }
    records.release();
  }

  private void read(TopicProfile profile, Place place) {
    while (records.next()) {
      byte[] array = records.array();
      int keyAt = records.keyPosition();
      int valueAt = records.valuePosition();
      profile.record(header.baseTimestamp() + records.timestampDelta());
      profile.key(records.keySize(), start(array, keyAt, records.keySize()), place);
      profile.value(records.valueSize(), start(array, valueAt, records.valueSize()), place);
      readHeaders(profile, place);
      schemas.read(records);
      readSchema(SchemaHeaders.KEY, keyAt, records.keySize(), profile, place);
      readSchema(SchemaHeaders.VALUE, valueAt, records.valueSize(), profile, place);
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
    if (AVRO_START.matches(array, at, size)) {
      return AVRO;
    }
    return switch (array[at]) {
      case '{' -> "json-object";
      case '[' -> "json-array";
      default -> "hex:" + HexFormat.of().formatHex(array, at, at + 1);
    };
  }

  private void readSchema(int what, int at, int size, TopicProfile profile, Place place) {
    if (size < 0) { // the rules of schemas leave out null
      return;
    }
    boolean ofKey = what == SchemaHeaders.KEY;
    byte[] array = records.array();
    byte[] headerArray = schemas.array();
    int headerAt = schemas.position(what);
    int headerSize = schemas.size(what);
    int globalId = what + SchemaHeaders.TO_GLOBAL_ID;
    if (headerSize == ID_BYTES && headerArray[headerAt] == 0) {
      profile.schema(ofKey, "header " + id(headerArray, headerAt), place);
    } else if (headerSize == GUID_BYTES && headerArray[headerAt] == 1) {
      long high = BigEndian.getLong(headerArray, headerAt + 1);
      long low = BigEndian.getLong(headerArray, headerAt + 1 + Long.BYTES);
      profile.schema(ofKey, "header " + new UUID(high, low), place);
    } else if (schemas.size(globalId) == Long.BYTES) {
      long id = BigEndian.getLong(headerArray, schemas.position(globalId));
      profile.schema(ofKey, "header global:" + id, place);
    } else if (size >= ID_BYTES && array[at] == 0) {
      profile.schema(ofKey, "payload " + id(array, at), place);
    } else {
      profile.schema(ofKey, TopicProfile.NO_SCHEMA, place);
    }
  }

  private static long id(byte[] array, int at) {
    return Integer.toUnsignedLong(BigEndian.getInt(array, at + 1));
  }

  private void readHeaders(TopicProfile profile, Place place) {
    headersOfRecord.clear();
    while (records.nextHeader()) {
      String key = headerKey(records.headerKeyPosition(), records.headerKeySize());
      if (headersOfRecord.add(key)) {
        profile.header(key, place);
      }
    }
  }

  /** Returns a header key. Those that are too long for a rule are counted together. */
  private String headerKey(int at, int size) {
    return size > TopicRules.MAX_HEADER_BYTES
        ? ProfiledValues.OTHERS
        : new String(records.array(), at, size, StandardCharsets.UTF_8);
  }

  /** Returns the profiles of the batches since the last call. */
  public synchronized Profiles take() {
    Profiles taken = topics;
    topics = new Profiles();
    return taken;
  }

  @Override
  public synchronized void close() {
    records.close();
  }
}
