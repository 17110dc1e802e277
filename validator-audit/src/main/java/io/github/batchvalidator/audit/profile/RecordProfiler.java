// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.profile;

import io.github.batchvalidator.audit.profile.ProfiledValues.Place;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.HeaderKeys;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Reads the records of sound batches and counts what they look like, topic by topic. Several
 * threads may add batches; one reads at a time, because reading takes less time than checking.
 */
public final class RecordProfiler implements AutoCloseable {
  private static final int ID_BYTES = 1 + Integer.BYTES;
  private static final int GUID_BYTES = 1 + 2 * Long.BYTES;

  private final PayloadReader reader = new PayloadReader(WindowDecoders.fastest());
  private final RecordIterator records = new RecordIterator();
  private final BatchHeader header = new BatchHeader();
  private final MutableVerdict verdict = new MutableVerdict(0);
  private Profiles topics = new Profiles();
  private final Set<String> headersOfRecord = new HashSet<>();
  private final ByteWindow headers = new ByteWindow();
  private final RecordContent content = new RecordContent();

  public RecordProfiler() {
    SchemaRule anySchema = new SchemaRule(SchemaRule.Place.EITHER, SchemaIds.ANY);
    content.begin(TopicRules.builder().keySchema(anySchema).valueSchema(anySchema).build());
  }

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
      content.whole(
          array, keyAt, valueAt, records.headersPosition(), records.end(), records.headerCount());
      readSchema(HeaderKeys.KEY_SCHEMA, keyAt, records.keySize(), profile, place);
      readSchema(HeaderKeys.VALUE_SCHEMA, valueAt, records.valueSize(), profile, place);
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

  private void readSchema(int what, int at, int size, TopicProfile profile, Place place) {
    boolean ofKey = what == HeaderKeys.KEY_SCHEMA;
    byte[] array = content.array();
    byte[] headerArray = content.headerArray();
    int headerAt = content.schemaAt(what);
    int headerSize = content.schemaSize(what);
    int globalId = what + HeaderKeys.TO_GLOBAL_ID;
    if (headerSize == ID_BYTES && headerArray[headerAt] == 0) {
      profile.schema(ofKey, "header " + id(headerArray, headerAt), place);
    } else if (headerSize == GUID_BYTES && headerArray[headerAt] == 1) {
      long high = BigEndian.getLong(headerArray, headerAt + 1);
      long low = BigEndian.getLong(headerArray, headerAt + 1 + Long.BYTES);
      profile.schema(ofKey, "header " + new UUID(high, low), place);
    } else if (content.schemaSize(globalId) == Long.BYTES) {
      long id = BigEndian.getLong(headerArray, content.schemaAt(globalId));
      profile.schema(ofKey, "header global:" + id, place);
    } else if (size >= ID_BYTES && array[at] == 0) {
      profile.schema(ofKey, "payload " + id(array, at), place);
    }
  }

  private static long id(byte[] array, int at) {
    return Integer.toUnsignedLong(BigEndian.getInt(array, at + 1));
  }

  private void readHeaders(TopicProfile profile, Place place) {
    headersOfRecord.clear();
    int at = records.headersPosition();
    headers.wrap(records.array(), at, records.end() - at);
    for (int i = 0; i < records.headerCount(); i++) {
      int size = headers.readVarint();
      String key = new String(headers.array(), headers.position(), size, StandardCharsets.UTF_8);
      headers.skip(size);
      headers.skip(headers.readVarint());
      if (headersOfRecord.add(key)) {
        profile.header(key, place);
      }
    }
  }

  /** Returns the profiles of the batches since the last call. */
  public synchronized Profiles take() {
    Profiles taken = topics;
    topics = new Profiles();
    return taken;
  }

  @Override
  public synchronized void close() {
    reader.close();
  }
}
