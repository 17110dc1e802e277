// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a topic may have beyond those of Kafka, one constant each. A null key or value
 * passes every rule except {@link #KEY_REQUIRED} and {@link #VALUE_REQUIRED}.
 *
 * <p>The constant is all that policy files, texts and documents know about a rule. The checks are
 * made while the records are read.
 *
 * @param <T> the type of the value
 */
public final class TopicRule<T> {
  private static final List<TopicRule<?>> RULES = new ArrayList<>();

  /** The allowed codecs, at least one. The default is all. */
  public static final TopicRule<Set<Codec>> CODECS =
      new TopicRule<>(
          "codecs",
          Codec.class,
          Collections.unmodifiableSet(EnumSet.allOf(Codec.class)),
          Reason.TOPIC_CODEC_NOT_ALLOWED);

  /** True if every record needs a key. */
  public static final TopicRule<Boolean> KEY_REQUIRED =
      flag("key.required", Reason.TOPIC_KEY_MISSING);

  /** True if every record needs a value: tombstones are refused. */
  public static final TopicRule<Boolean> VALUE_REQUIRED =
      flag("value.required", Reason.TOPIC_VALUE_MISSING);

  /** The header keys that every record needs. */
  public static final TopicRule<List<String>> HEADERS_REQUIRED =
      list("headers.required", String.class, Reason.TOPIC_HEADER_MISSING);

  /** The header keys that no record may have. */
  public static final TopicRule<List<String>> HEADERS_FORBIDDEN =
      list("headers.forbidden", String.class, Reason.TOPIC_HEADER_FORBIDDEN);

  /** True if header keys have to be UTF-8. */
  public static final TopicRule<Boolean> HEADERS_UTF8 =
      flag("headers.utf8", Reason.TOPIC_HEADER_KEY_NOT_UTF8);

  /** The place of the schema id that every key needs. */
  public static final TopicRule<SchemaPlace> KEY_SCHEMA =
      new TopicRule<>(
          "key.schema", SchemaPlace.class, SchemaPlace.NONE, Reason.TOPIC_KEY_SCHEMA_MISSING);

  /** The allowed schema ids of keys. Needs {@link #KEY_SCHEMA}. */
  public static final TopicRule<SchemaIds> KEY_SCHEMA_IDS =
      ids(
          KEY_SCHEMA,
          Reason.TOPIC_KEY_SCHEMA_NOT_ALLOWED,
          Reason.TOPIC_KEY_SCHEMA_GUID_NOT_ALLOWED);

  /** The place of the schema id that every value needs. */
  public static final TopicRule<SchemaPlace> VALUE_SCHEMA =
      new TopicRule<>(
          "value.schema", SchemaPlace.class, SchemaPlace.NONE, Reason.TOPIC_VALUE_SCHEMA_MISSING);

  /** The allowed schema ids of values. Needs {@link #VALUE_SCHEMA}. */
  public static final TopicRule<SchemaIds> VALUE_SCHEMA_IDS =
      ids(
          VALUE_SCHEMA,
          Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED,
          Reason.TOPIC_VALUE_SCHEMA_GUID_NOT_ALLOWED);

  /** The bytes that keys may start with, at most {@link Prefix#MAX_PREFIXES}; none for any. */
  public static final TopicRule<List<Prefix>> KEY_STARTS =
      list("key.starts", Prefix.class, Reason.TOPIC_KEY_START_UNEXPECTED);

  /** The bytes that values may start with, at most {@link Prefix#MAX_PREFIXES}; none for any. */
  public static final TopicRule<List<Prefix>> VALUE_STARTS =
      list("value.starts", Prefix.class, Reason.TOPIC_VALUE_START_UNEXPECTED);

  /** The allowed sizes of keys. */
  public static final TopicRule<SizeRange> KEY_BYTES =
      sizes("key.bytes", Reason.TOPIC_KEY_SIZE_OUT_OF_RANGE);

  /** The allowed sizes of values. */
  public static final TopicRule<SizeRange> VALUE_BYTES =
      sizes("value.bytes", Reason.TOPIC_VALUE_SIZE_OUT_OF_RANGE);

  /** True if create times that only make sense in another unit than milliseconds are refused. */
  public static final TopicRule<Boolean> TIMESTAMPS_MILLISECONDS =
      flag(
          "timestamps.milliseconds",
          Reason.TOPIC_TIMESTAMP_IN_SECONDS,
          Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS,
          Reason.TOPIC_TIMESTAMP_IN_NANOSECONDS);

  /** The place of the value among the values of {@link TopicRules}. */
  final int index;

  private final String key;
  private final Class<?> type;
  private final T byDefault;
  private final List<Reason> reasons;
  private final @Nullable TopicRule<?> needed;

  private TopicRule(String key, Class<?> type, T byDefault, Reason... reasons) {
    this(key, type, byDefault, null, reasons);
  }

  private TopicRule(
      String key, Class<?> type, T byDefault, @Nullable TopicRule<?> needed, Reason... reasons) {
    this.key = key;
    this.type = type;
    this.byDefault = byDefault;
    this.needed = needed;
    this.reasons = List.of(reasons);
    index = RULES.size();
    RULES.add(this);
  }

  private static TopicRule<Boolean> flag(String key, Reason... reasons) {
    return new TopicRule<>(key, Boolean.class, false, reasons);
  }

  private static TopicRule<SizeRange> sizes(String key, Reason reason) {
    return new TopicRule<>(key, SizeRange.class, SizeRange.ANY, reason);
  }

  private static <E> TopicRule<List<E>> list(String key, Class<E> type, Reason reason) {
    return new TopicRule<>(key, type, List.of(), reason);
  }

  private static TopicRule<SchemaIds> ids(TopicRule<SchemaPlace> place, Reason... reasons) {
    return new TopicRule<>(place.key + ".ids", SchemaIds.class, SchemaIds.ANY, place, reasons);
  }

  /** {@return all rules, in the order of the documentation} */
  public static List<TopicRule<?>> all() {
    return Collections.unmodifiableList(RULES);
  }

  /** {@return the name in policy files} */
  public String key() {
    return key;
  }

  /** {@return the type of the value; for a list or a set, that of its elements} */
  public Class<?> type() {
    return type;
  }

  /** {@return the value of topics that do not have the rule} */
  public T byDefault() {
    return byDefault;
  }

  /** {@return the reasons to refuse a batch that only this rule gives} */
  public List<Reason> reasons() {
    return reasons;
  }

  /** {@return the rule without which this rule has no effect, or null} */
  public @Nullable TopicRule<?> needed() {
    return needed;
  }

  /** {@return true if the rule applies to single records, not to the batch as a whole} */
  boolean isAboutRecords() {
    return this != CODECS;
  }

  /** {@return the name in policy files} */
  @Override
  public String toString() {
    return key;
  }
}
