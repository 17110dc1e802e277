// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a topic for its records, beyond the rules of Kafka: a value for each {@link
 * TopicRule}. The rules look at sizes, timestamps, header keys, short header values, and the first
 * {@link Prefix#MAX_BYTES} bytes of keys and values.
 *
 * <pre>{@code
 * TopicRules rules =
 *     TopicRules.NONE
 *         .with(TopicRule.CODECS, Set.of(Codec.LZ4, Codec.ZSTD))
 *         .with(TopicRule.KEY_REQUIRED, true)
 *         .with(TopicRule.VALUE_SCHEMA, SchemaPlace.EITHER);
 * }</pre>
 *
 * <p>They apply to batches of clients and of logs, control batches excepted. A violation refuses
 * the batch with a {@code TOPIC} {@link Reason}. If the policy is {@linkplain Policy#observing
 * observing}, a violation is only a finding.
 *
 * <p>Immutable and safe for use by multiple threads.
 */
public final class TopicRules {
  /** The maximum number of required and forbidden header keys together. */
  public static final int MAX_HEADERS = 56;

  /** The maximum size of a required or forbidden header key, in bytes. */
  public static final int MAX_HEADER_BYTES = 255;

  /** No rules. */
  public static final TopicRules NONE =
      new TopicRules(TopicRule.all().stream().map(TopicRule::byDefault).toArray());

  private final Object[] values; // by TopicRule.index
  private final int codecBits;
  private final byte[][] headerKeys;
  private final boolean readsSchemaHeaders;
  private final boolean looksAtHeaders;
  private final boolean looksAtRecords;

  private TopicRules(Object[] values) {
    this.values = values;
    codecBits = get(TopicRule.CODECS).stream().mapToInt(codec -> 1 << codec.id()).sum();
    headerKeys =
        Stream.of(TopicRule.HEADERS_REQUIRED, TopicRule.HEADERS_FORBIDDEN)
            .flatMap(rule -> get(rule).stream())
            .map(key -> key.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    check();
    readsSchemaHeaders =
        get(TopicRule.KEY_SCHEMA).isHeaderRead() || get(TopicRule.VALUE_SCHEMA).isHeaderRead();
    looksAtHeaders = headerKeys.length > 0 || readsSchemaHeaders || get(TopicRule.HEADERS_UTF8);
    looksAtRecords =
        TopicRule.all().stream().anyMatch(rule -> rule.isAboutRecords() && isInEffect(rule));
  }

  private void check() {
    if (codecBits == 0) {
      throw new IllegalArgumentException("no codec is allowed");
    }
    if (headerKeys.length > MAX_HEADERS) {
      throw new IllegalArgumentException("more than " + MAX_HEADERS + " header keys");
    }
    for (byte[] key : headerKeys) {
      if (key.length > MAX_HEADER_BYTES) {
        String text = new String(key, StandardCharsets.UTF_8);
        throw new IllegalArgumentException("a header key has more than 255 bytes: " + text);
      }
    }
    for (String key : get(TopicRule.HEADERS_FORBIDDEN)) {
      if (get(TopicRule.HEADERS_REQUIRED).contains(key)) {
        throw new IllegalArgumentException("a header is required and forbidden: " + key);
      }
    }
    int starts = Math.max(get(TopicRule.KEY_STARTS).size(), get(TopicRule.VALUE_STARTS).size());
    if (starts > Prefix.MAX_PREFIXES) {
      throw new IllegalArgumentException("more than " + Prefix.MAX_PREFIXES + " first bytes");
    }
  }

  /**
   * Returns these rules with another value of one of them.
   *
   * @param <T> the type of the value
   * @param rule the rule
   * @param value its value; a list or a set is copied, without repetitions
   * @return the rules
   * @throws IllegalArgumentException if there is no codec, if a list is too long, if a header key
   *     has more than {@link #MAX_HEADER_BYTES} bytes, or if a header is required and forbidden
   */
  public <T> TopicRules with(TopicRule<T> rule, T value) {
    Object[] changed = values.clone();
    changed[rule.index] =
        value instanceof List<?> list
            ? list.stream().distinct().toList()
            : value instanceof Set<?> set ? Collections.unmodifiableSet(new TreeSet<>(set)) : value;
    return new TopicRules(changed);
  }

  /**
   * Returns these rules without one of them.
   *
   * @param <T> the type of the value
   * @param rule the rule
   * @return the rules, in which this rule has its default value
   */
  public <T> TopicRules without(TopicRule<T> rule) {
    return with(rule, rule.byDefault());
  }

  /**
   * {@return the value of a rule} Allocates nothing.
   *
   * @param <T> the type of the value
   * @param rule the rule
   */
  @SuppressWarnings("unchecked") // every value comes from with() or is the default
  public <T> T get(TopicRule<T> rule) {
    return (T) values[rule.index];
  }

  /**
   * {@return true if the value of a rule is not the default, and the rule that it needs is in
   * effect}
   *
   * @param rule the rule
   */
  public boolean isInEffect(TopicRule<?> rule) {
    TopicRule<?> needed = rule.needed();
    return !values[rule.index].equals(rule.byDefault()) && (needed == null || isInEffect(needed));
  }

  // ---- for the walk over the records; nothing below allocates

  /** {@return true if a rule applies to single records} */
  public boolean looksAtRecords() {
    return looksAtRecords;
  }

  /** {@return true if a rule applies to headers} */
  public boolean looksAtHeaders() {
    return looksAtHeaders;
  }

  /** {@return true if a header may have the schema id of a key or value} */
  public boolean looksAtSchemaHeaders() {
    return readsSchemaHeaders;
  }

  /** {@return true if there is no rule} */
  public boolean isNone() {
    return !looksAtRecords && codecBits == (1 << Codec.count()) - 1;
  }

  /**
   * {@return true if a codec is allowed}
   *
   * @param codec the codec of a batch
   */
  public boolean allowsCodec(Codec codec) {
    return (codecBits >>> codec.id() & 1) != 0;
  }

  /**
   * Returns the number of a header key. Required headers start at 0, forbidden ones follow.
   *
   * @param array contains the key
   * @param at index of the key's first byte
   * @param length the size of the key
   * @return a bit at that number; 0 for a header that is neither required nor forbidden
   */
  public long headerBit(byte[] array, int at, int length) {
    for (int i = 0; i < headerKeys.length; i++) {
      byte[] key = headerKeys[i];
      if (key.length == length && Arrays.equals(key, 0, length, array, at, at + length)) {
        return 1L << i;
      }
    }
    return 0;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TopicRules rules && Arrays.equals(values, rules.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** {@return the rules that are in effect, as in a policy file} */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "TopicRules{", "}");
    for (TopicRule<?> rule : TopicRule.all()) {
      if (isInEffect(rule)) {
        text.add(rule + "=" + values[rule.index]);
      }
    }
    return text.toString();
  }
}
