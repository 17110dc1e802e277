// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a topic for its records, beyond the rules of Kafka. The rules look at sizes,
 * timestamps, header keys, short header values, and the first {@link Prefix#MAX_BYTES} bytes of
 * keys and values.
 *
 * <pre>{@code
 * TopicRules rules =
 *     TopicRules.builder()
 *         .codecs(Codec.LZ4, Codec.ZSTD)
 *         .keyRequired(true)
 *         .valueSchema(new SchemaRule(SchemaRule.Place.EITHER, SchemaIds.ANY))
 *         .build();
 * }</pre>
 *
 * <p>They apply to batches of clients and of logs, control batches excepted. A violation refuses
 * the batch with a {@code TOPIC} {@link Reason}. If the policy is {@linkplain Policy#observing
 * observing}, a violation is only a finding.
 *
 * <p>Immutable and safe for use by multiple threads.
 */
public final class TopicRules {
  /** No rules. */
  public static final TopicRules NONE = builder().build();

  private final Set<Codec> codecs;
  private final boolean keyRequired;
  private final boolean valueRequired;
  private final List<String> requiredHeaders;
  private final List<String> forbiddenHeaders;
  private final boolean headerKeysUtf8;
  private final @Nullable SchemaRule keySchema;
  private final @Nullable SchemaRule valueSchema;
  private final List<Prefix> keyStarts;
  private final List<Prefix> valueStarts;
  private final SizeRange keyBytes;
  private final SizeRange valueBytes;
  private final boolean millisecondsRequired;

  private final int codecBits;

  private final HeaderKeys headerKeys;
  private final boolean looksAtRecords;

  private TopicRules(Builder builder) {
    codecs = Set.copyOf(builder.codecs);
    keyRequired = builder.keyRequired;
    valueRequired = builder.valueRequired;
    requiredHeaders = List.copyOf(builder.requiredHeaders);
    forbiddenHeaders = List.copyOf(builder.forbiddenHeaders);
    headerKeysUtf8 = builder.headerKeysUtf8;
    keySchema = builder.keySchema;
    valueSchema = builder.valueSchema;
    keyStarts = List.copyOf(builder.keyStarts);
    valueStarts = List.copyOf(builder.valueStarts);
    keyBytes = builder.keyBytes;
    valueBytes = builder.valueBytes;
    millisecondsRequired = builder.millisecondsRequired;
    codecBits = codecs.stream().mapToInt(codec -> 1 << codec.id()).sum();
    boolean readsSchemas = readsHeader(keySchema) || readsHeader(valueSchema);
    headerKeys = new HeaderKeys(requiredHeaders, forbiddenHeaders, readsSchemas);
    looksAtRecords =
        keyRequired
            || valueRequired
            || millisecondsRequired
            || keySchema != null
            || valueSchema != null
            || keyStarts.size() + valueStarts.size() > 0
            || !keyBytes.equals(SizeRange.ANY)
            || !valueBytes.equals(SizeRange.ANY)
            || looksAtHeaders();
  }

  private static boolean readsHeader(@Nullable SchemaRule rule) {
    return rule != null && rule.place() != SchemaRule.Place.PAYLOAD;
  }

  /** {@return a builder without rules} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder with these rules} */
  public Builder toBuilder() {
    return new Builder(this);
  }

  // ---- the rules

  /** {@return the allowed codecs} */
  public Set<Codec> codecs() {
    return codecs;
  }

  /** {@return true if every record needs a key} */
  public boolean keyRequired() {
    return keyRequired;
  }

  /** {@return true if every record needs a value: tombstones are refused} */
  public boolean valueRequired() {
    return valueRequired;
  }

  /** {@return the header keys that every record needs} */
  public List<String> requiredHeaders() {
    return requiredHeaders;
  }

  /** {@return the header keys that no record may have} */
  public List<String> forbiddenHeaders() {
    return forbiddenHeaders;
  }

  /** {@return true if header keys have to be UTF-8} */
  public boolean headerKeysUtf8() {
    return headerKeysUtf8;
  }

  /** {@return the rule for the schema ids of keys, or null} */
  public @Nullable SchemaRule keySchema() {
    return keySchema;
  }

  /** {@return the rule for the schema ids of values, or null} */
  public @Nullable SchemaRule valueSchema() {
    return valueSchema;
  }

  /** {@return the allowed first bytes of keys; empty if any are allowed} */
  public List<Prefix> keyStarts() {
    return keyStarts;
  }

  /** {@return the allowed first bytes of values; empty if any are allowed} */
  public List<Prefix> valueStarts() {
    return valueStarts;
  }

  /** {@return the allowed sizes of keys} */
  public SizeRange keyBytes() {
    return keyBytes;
  }

  /** {@return the allowed sizes of values} */
  public SizeRange valueBytes() {
    return valueBytes;
  }

  /**
   * {@return true if a create time that only makes sense in seconds, microseconds or nanoseconds is
   * refused}
   */
  public boolean millisecondsRequired() {
    return millisecondsRequired;
  }

  // ---- for the walk over the records; nothing below allocates

  /** {@return true if a rule applies to single records} */
  public boolean looksAtRecords() {
    return looksAtRecords;
  }

  /** {@return true if a rule applies to headers} */
  public boolean looksAtHeaders() {
    return headerKeysUtf8 || !headerKeys.isEmpty();
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

  /** {@return the header keys that a rule names} */
  public HeaderKeys headerKeys() {
    return headerKeys;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this || (other instanceof TopicRules rules && all().equals(rules.all()));
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  /** {@return all rules, in the order of the builder} */
  @Override
  public String toString() {
    return "TopicRules" + all();
  }

  private List<@Nullable Object> all() {
    return Arrays.asList(
        codecs,
        keyRequired,
        valueRequired,
        requiredHeaders,
        forbiddenHeaders,
        headerKeysUtf8,
        keySchema,
        valueSchema,
        keyStarts,
        valueStarts,
        keyBytes,
        valueBytes,
        millisecondsRequired);
  }

  /** A builder of {@link TopicRules}. Not thread-safe. */
  public static final class Builder {
    private Set<Codec> codecs = EnumSet.allOf(Codec.class);
    private boolean keyRequired;
    private boolean valueRequired;
    private List<String> requiredHeaders = List.of();
    private List<String> forbiddenHeaders = List.of();
    private boolean headerKeysUtf8;
    private @Nullable SchemaRule keySchema;
    private @Nullable SchemaRule valueSchema;
    private List<Prefix> keyStarts = List.of();
    private List<Prefix> valueStarts = List.of();
    private SizeRange keyBytes = SizeRange.ANY;
    private SizeRange valueBytes = SizeRange.ANY;
    private boolean millisecondsRequired;

    private Builder() {}

    private Builder(TopicRules rules) {
      codecs = rules.codecs;
      keyRequired = rules.keyRequired;
      valueRequired = rules.valueRequired;
      requiredHeaders = rules.requiredHeaders;
      forbiddenHeaders = rules.forbiddenHeaders;
      headerKeysUtf8 = rules.headerKeysUtf8;
      keySchema = rules.keySchema;
      valueSchema = rules.valueSchema;
      keyStarts = rules.keyStarts;
      valueStarts = rules.valueStarts;
      keyBytes = rules.keyBytes;
      valueBytes = rules.valueBytes;
      millisecondsRequired = rules.millisecondsRequired;
    }

    /**
     * Sets the allowed codecs. The default is all.
     *
     * @param allowed at least one
     * @return this builder
     */
    public Builder codecs(Codec... allowed) {
      if (allowed.length == 0) {
        throw new IllegalArgumentException("no codec is allowed");
      }
      codecs = EnumSet.copyOf(Arrays.asList(allowed));
      return this;
    }

    /**
     * Sets whether every record needs a key. The default is false.
     *
     * @param value true to refuse records without a key
     * @return this builder
     */
    public Builder keyRequired(boolean value) {
      keyRequired = value;
      return this;
    }

    /**
     * Sets whether every record needs a value. The default is false.
     *
     * @param value true to refuse tombstones
     * @return this builder
     */
    public Builder valueRequired(boolean value) {
      valueRequired = value;
      return this;
    }

    /**
     * Sets the header keys that every record needs. The default is none.
     *
     * @param keys header keys
     * @return this builder
     */
    public Builder requiredHeaders(String... keys) {
      requiredHeaders = checked(keys);
      return this;
    }

    /**
     * Sets the header keys that no record may have. The default is none.
     *
     * @param keys header keys
     * @return this builder
     */
    public Builder forbiddenHeaders(String... keys) {
      forbiddenHeaders = checked(keys);
      return this;
    }

    private static List<String> checked(String... keys) {
      for (String key : keys) {
        if (key.getBytes(StandardCharsets.UTF_8).length > HeaderKeys.MAX_KEY_BYTES) {
          throw new IllegalArgumentException("a header key has more than 255 bytes: " + key);
        }
      }
      return Arrays.stream(keys).distinct().toList();
    }

    /**
     * Sets whether header keys have to be UTF-8. The default is false.
     *
     * @param value true to refuse other header keys
     * @return this builder
     */
    public Builder headerKeysUtf8(boolean value) {
      headerKeysUtf8 = value;
      return this;
    }

    /**
     * Sets the rule for the schema ids of keys. The default is none.
     *
     * @param rule the rule, or null for none
     * @return this builder
     */
    public Builder keySchema(@Nullable SchemaRule rule) {
      keySchema = rule;
      return this;
    }

    /**
     * Sets the rule for the schema ids of values. The default is none.
     *
     * @param rule the rule, or null for none
     * @return this builder
     */
    public Builder valueSchema(@Nullable SchemaRule rule) {
      valueSchema = rule;
      return this;
    }

    /**
     * Sets the bytes that keys may start with. A null key passes. The default is any.
     *
     * @param starts the allowed first bytes, at most {@link Prefix#MAX_PREFIXES}; none for any
     * @return this builder
     */
    public Builder keyStarts(Prefix... starts) {
      keyStarts = checked(starts);
      return this;
    }

    /**
     * Sets the bytes that values may start with. A null value passes. The default is any.
     *
     * @param starts the allowed first bytes, at most {@link Prefix#MAX_PREFIXES}; none for any
     * @return this builder
     */
    public Builder valueStarts(Prefix... starts) {
      valueStarts = checked(starts);
      return this;
    }

    private static List<Prefix> checked(Prefix... starts) {
      if (starts.length > Prefix.MAX_PREFIXES) {
        throw new IllegalArgumentException("more than " + Prefix.MAX_PREFIXES + " first bytes");
      }
      return List.of(starts);
    }

    /**
     * Sets the allowed sizes of keys. A null key passes. The default is any.
     *
     * @param range in bytes
     * @return this builder
     */
    public Builder keyBytes(SizeRange range) {
      keyBytes = Objects.requireNonNull(range, "range");
      return this;
    }

    /**
     * Sets the allowed sizes of values. A null value passes. The default is any.
     *
     * @param range in bytes
     * @return this builder
     */
    public Builder valueBytes(SizeRange range) {
      valueBytes = Objects.requireNonNull(range, "range");
      return this;
    }

    /**
     * Sets whether a create time in another unit than milliseconds is refused. The default is
     * false.
     *
     * @param value true to refuse seconds, microseconds and nanoseconds
     * @return this builder
     */
    public Builder millisecondsRequired(boolean value) {
      millisecondsRequired = value;
      return this;
    }

    /**
     * {@return the rules}
     *
     * @throws IllegalArgumentException if there are more than {@link HeaderKeys#MAX_KEYS} header
     *     keys, or if a header key is required and forbidden
     */
    public TopicRules build() {
      if (requiredHeaders.size() + forbiddenHeaders.size() > HeaderKeys.MAX_KEYS) {
        throw new IllegalArgumentException("more than " + HeaderKeys.MAX_KEYS + " header keys");
      }
      for (String key : forbiddenHeaders) {
        if (requiredHeaders.contains(key)) {
          throw new IllegalArgumentException("a header is required and forbidden: " + key);
        }
      }
      return new TopicRules(this);
    }
  }
}
