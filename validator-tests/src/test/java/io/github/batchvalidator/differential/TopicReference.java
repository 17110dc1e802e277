// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.differential;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.TopicRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The rules of topics over records that Kafka's own reader has decoded, written without regard to
 * speed.
 */
final class TopicReference {
  private static final long YEAR_2000 = 946_684_800_000L;
  private static final long YEAR_2100 = 4_102_444_800_000L;

  private final TopicRules rules;

  TopicReference(TopicRules rules) {
    this.rules = rules;
  }

  /**
   * Returns the violations of the batch as a whole.
   *
   * @param claimed the maximum timestamp of a batch that claims log append time, or null
   */
  List<Reason> ofBatch(Codec codec, @Nullable Long claimed) {
    List<Reason> found = new ArrayList<>();
    if (!rules.codecs().contains(codec)) {
      found.add(Reason.TOPIC_CODEC_NOT_ALLOWED);
    }
    if (claimed != null && rules.millisecondsRequired()) {
      unit(claimed).ifPresent(found::add);
    }
    return found;
  }

  /** Returns the violations of a record in the order of the reasons of the validator. */
  List<Reason> ofRecord(Record record, boolean ownTimeStored) {
    List<Reason> found = new ArrayList<>();
    byte @Nullable [] key = bytes(record.key());
    byte @Nullable [] value = bytes(record.value());
    if (key == null && rules.keyRequired()) {
      found.add(Reason.TOPIC_KEY_MISSING);
    }
    if (value == null && rules.valueRequired()) {
      found.add(Reason.TOPIC_VALUE_MISSING);
    }
    if (key != null && !rules.keyBytes().contains(key.length)) {
      found.add(Reason.TOPIC_KEY_SIZE_OUT_OF_RANGE);
    }
    if (value != null && !rules.valueBytes().contains(value.length)) {
      found.add(Reason.TOPIC_VALUE_SIZE_OUT_OF_RANGE);
    }
    if (key != null && !starts(key, rules.keyStarts())) {
      found.add(Reason.TOPIC_KEY_START_UNEXPECTED);
    }
    if (value != null && !starts(value, rules.valueStarts())) {
      found.add(Reason.TOPIC_VALUE_START_UNEXPECTED);
    }
    schema(rules.keySchema(), key, "key", record).ifPresent(found::add);
    schema(rules.valueSchema(), value, "value", record).ifPresent(found::add);
    Set<String> headers = Stream.of(record.headers()).map(Header::key).collect(Collectors.toSet());
    if (!headers.containsAll(rules.requiredHeaders())) {
      found.add(Reason.TOPIC_HEADER_MISSING);
    }
    if (rules.forbiddenHeaders().stream().anyMatch(headers::contains)) {
      found.add(Reason.TOPIC_HEADER_FORBIDDEN);
    }
    if (ownTimeStored && rules.millisecondsRequired()) {
      unit(record.timestamp()).ifPresent(found::add);
    }
    return found;
  }

  private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
    return buffer == null ? null : Utils.toArray(buffer);
  }

  private static boolean starts(byte[] bytes, List<Prefix> allowed) {
    return allowed.isEmpty()
        || allowed.stream()
            .map(prefix -> prefix.toString().substring("hex:".length()))
            .anyMatch(hex -> HexFormat.of().formatHex(bytes).startsWith(hex));
  }

  private static Optional<Reason> schema(
      @Nullable SchemaRule rule, byte @Nullable [] data, String what, Record record) {
    if (rule == null || data == null) {
      return Optional.empty();
    }
    byte @Nullable [] id = null;
    boolean found = false;
    boolean global = false;
    if (rule.place() != SchemaRule.Place.PAYLOAD) {
      for (String name : List.of("apicurio." + what + ".globalId", "__" + what + "_schema_id")) {
        for (Header header : record.headers()) {
          if (header.key().equals(name)) {
            found = true;
            global = name.startsWith("apicurio");
            id = header.value();
          }
        }
      }
    }
    if (!found && rule.place() != SchemaRule.Place.HEADER && data.length >= 5) {
      id = Arrays.copyOf(data, 5);
    }
    return judge(rule, id, global, what);
  }

  private static Optional<Reason> judge(
      SchemaRule rule, byte @Nullable [] id, boolean global, String what) {
    String family = "TOPIC_" + what.toUpperCase(Locale.ROOT) + "_SCHEMA_";
    ByteBuffer bytes = ByteBuffer.wrap(id == null ? new byte[0] : id);
    if (global && bytes.remaining() == 8) {
      return rule.ids().allowsGlobalId(bytes.getLong())
          ? Optional.empty()
          : Optional.of(Reason.valueOf(family + "NOT_ALLOWED"));
    }
    if (!global && bytes.remaining() == 5 && bytes.get() == 0) {
      return rule.ids().allowsId(bytes.getInt())
          ? Optional.empty()
          : Optional.of(Reason.valueOf(family + "NOT_ALLOWED"));
    }
    if (!global && id != null && id.length == 17 && id[0] == 1) {
      return rule.ids().allowsGuid(bytes.getLong(1), bytes.getLong(9))
          ? Optional.empty()
          : Optional.of(Reason.valueOf(family + "GUID_NOT_ALLOWED"));
    }
    return Optional.of(Reason.valueOf(family + "MISSING"));
  }

  private static Optional<Reason> unit(long timestamp) {
    if (timestamp == -1 || isPlausible(timestamp)) {
      return Optional.empty();
    }
    if (Math.abs(timestamp) < YEAR_2100 && isPlausible(timestamp * 1000)) {
      return Optional.of(Reason.TOPIC_TIMESTAMP_IN_SECONDS);
    }
    if (isPlausible(timestamp / 1000)) {
      return Optional.of(Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS);
    }
    return isPlausible(timestamp / 1_000_000)
        ? Optional.of(Reason.TOPIC_TIMESTAMP_IN_NANOSECONDS)
        : Optional.empty();
  }

  private static boolean isPlausible(long milliseconds) {
    return milliseconds >= YEAR_2000 && milliseconds <= YEAR_2100;
  }
}
