// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testkit.specification.ModelSection.Schema;
import io.github.batchvalidator.testkit.specification.ModelSection.SchemaId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules of docs/policies.md for one record, in the order of docs/rules.md. */
final class ModelRules {
  private static final long YEAR_2000 = 946_684_800_000L;
  private static final long YEAR_2100 = 4_102_444_800_000L;

  private final boolean keyRequired;
  private final boolean valueRequired;
  private final List<String> headersRequired;
  private final List<String> headersForbidden;
  private final boolean headersUtf8;
  private final Schema keySchema;
  private final Schema valueSchema;
  private final List<byte[]> keyStarts;
  private final List<byte[]> valueStarts;
  private final long[] keyBytes;
  private final long[] valueBytes;

  /** True if create times in another unit are rejected. */
  final boolean milliseconds;

  ModelRules(ModelSection section) {
    keyRequired = section.isTrue("key.required");
    valueRequired = section.isTrue("value.required");
    headersRequired = section.listOf("headers.required");
    headersForbidden = section.listOf("headers.forbidden");
    headersUtf8 = section.isTrue("headers.utf8");
    keySchema = section.schema("key");
    valueSchema = section.schema("value");
    keyStarts = section.starts("key.starts");
    valueStarts = section.starts("value.starts");
    keyBytes = section.range("key.bytes");
    valueBytes = section.range("value.bytes");
    milliseconds = section.isTrue("timestamps.milliseconds");
  }

  /**
   * Returns the violations of a record.
   *
   * @param createTime the timestamp that the client wrote into the record; null for a stored record
   *     whose timestamp a broker has replaced
   */
  List<Reason> of(PlainRecord record, @Nullable Long createTime) {
    byte @Nullable [] key = record.key();
    byte @Nullable [] value = record.value();
    List<Reason> found = new ArrayList<>();
    if (key == null && keyRequired) {
      found.add(Reason.TOPIC_KEY_MISSING);
    }
    if (value == null && valueRequired) {
      found.add(Reason.TOPIC_VALUE_MISSING);
    }
    // "Null keys and values pass every rule except key.required and value.required."
    if (key != null && !isIn(key.length, keyBytes)) {
      found.add(Reason.TOPIC_KEY_SIZE_OUT_OF_RANGE);
    }
    if (value != null && !isIn(value.length, valueBytes)) {
      found.add(Reason.TOPIC_VALUE_SIZE_OUT_OF_RANGE);
    }
    if (key != null && !starts(key, keyStarts)) {
      found.add(Reason.TOPIC_KEY_START_UNEXPECTED);
    }
    if (value != null && !starts(value, valueStarts)) {
      found.add(Reason.TOPIC_VALUE_START_UNEXPECTED);
    }
    schema(keySchema, key, "key", record, found);
    schema(valueSchema, value, "value", record, found);
    headers(record, found);
    if (milliseconds && createTime != null) {
      found.addAll(unit(createTime));
    }
    return found;
  }

  private static boolean isIn(long size, long[] range) {
    return size >= range[0] && size <= range[1];
  }

  private static boolean starts(byte[] bytes, List<byte[]> allowed) {
    return allowed.isEmpty()
        || allowed.stream()
            .anyMatch(
                start ->
                    bytes.length >= start.length
                        && Arrays.equals(bytes, 0, start.length, start, 0, start.length));
  }

  private void headers(PlainRecord record, List<Reason> found) {
    Set<String> keys = new TreeSet<>();
    boolean utf8 = true;
    for (PlainRecord.Header header : record.headers()) {
      keys.add(header.text());
      utf8 &= isUtf8(header.key());
    }
    if (!keys.containsAll(headersRequired)) {
      found.add(Reason.TOPIC_HEADER_MISSING);
    }
    if (headersForbidden.stream().anyMatch(keys::contains)) {
      found.add(Reason.TOPIC_HEADER_FORBIDDEN);
    }
    if (headersUtf8 && !utf8) {
      found.add(Reason.TOPIC_HEADER_KEY_NOT_UTF8);
    }
  }

  static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** The table "Schema ids". Of several headers with the same key, the last one counts. */
  private static void schema(
      Schema rule, byte @Nullable [] data, String what, PlainRecord record, List<Reason> found) {
    if (rule.isNone() || data == null) {
      return;
    }
    byte[] none = {};
    byte[] id = none;
    boolean global = false;
    boolean inHeader = false;
    if (!rule.place().equals("payload")) {
      for (String key : List.of("apicurio." + what + ".globalId", "__" + what + "_schema_id")) {
        for (PlainRecord.Header header : record.headers()) {
          if (header.text().equals(key)) {
            inHeader = true;
            global = key.startsWith("apicurio");
            id = header.value() == null ? none : header.value();
          }
        }
      }
    }
    if (!inHeader && !rule.place().equals("header") && data.length >= 5 && data[0] == 0) {
      id = Arrays.copyOf(data, 5);
    }
    String family = "TOPIC_" + what.toUpperCase(Locale.ROOT) + "_SCHEMA_";
    SchemaId parsed = parse(id, global);
    if (parsed == null) {
      found.add(Reason.valueOf(family + "MISSING"));
    } else if (!rule.allowed().test(parsed)) {
      found.add(
          Reason.valueOf(family + (parsed.guid() == null ? "NOT_ALLOWED" : "GUID_NOT_ALLOWED")));
    }
  }

  private static @Nullable SchemaId parse(byte[] id, boolean global) {
    ByteBuffer bytes = ByteBuffer.wrap(id);
    if (global) {
      return id.length == Long.BYTES ? new SchemaId(null, bytes.getLong(), null) : null;
    }
    if (id.length == 5 && id[0] == 0) {
      return new SchemaId(bytes.getInt(1), null, null);
    }
    return id.length == 17 && id[0] == 1
        ? new SchemaId(null, null, new UUID(bytes.getLong(1), bytes.getLong(9)))
        : null;
  }

  /**
   * "One outside these years is rejected if it is inside them as seconds, microseconds or
   * nanoseconds."
   */
  static List<Reason> unit(long time) {
    if (isInYears(time)) {
      return List.of();
    }
    if (Math.abs(time) < YEAR_2100 && isInYears(time * 1000)) {
      return List.of(Reason.TOPIC_TIMESTAMP_IN_SECONDS);
    }
    if (isInYears(time / 1000)) {
      return List.of(Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS);
    }
    return isInYears(time / 1_000_000) ? List.of(Reason.TOPIC_TIMESTAMP_IN_NANOSECONDS) : List.of();
  }

  private static boolean isInYears(long milliseconds) {
    return milliseconds >= YEAR_2000 && milliseconds <= YEAR_2100;
  }
}
