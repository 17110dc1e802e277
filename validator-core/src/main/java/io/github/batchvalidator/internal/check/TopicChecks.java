// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.scan.BatchRecordWalk;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.HeaderKeys;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.verdict.FailedRecords;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a topic, which Kafka does not have: {@link TopicRules}. A rule is named after its
 * {@link Reason}. It returns true if the batch or record passes; otherwise it reports the violation
 * and returns false.
 *
 * <p>The violations decide only if Kafka accepts the batch. An observing policy gets them as
 * findings, of each record all of them. Otherwise the first violation of a record counts.
 *
 * <p>Never allocates. Confined to one thread.
 */
public final class TopicChecks {
  private static final long NO_TIMESTAMP = -1;

  private static final int PAYLOAD_MAGIC = 0;
  private static final int ID_MAGIC = 0;
  private static final int GUID_MAGIC = 1;
  private static final int ID_BYTES = 1 + Integer.BYTES;
  private static final int GUID_BYTES = 1 + 2 * Long.BYTES;

  private final LastAllowed keyIds = new LastAllowed();
  private final LastAllowed valueIds = new LastAllowed();
  private final LastStart keyStarts = new LastStart();
  private final LastStart valueStarts = new LastStart();
  private final FieldBounds usual = new FieldBounds();

  private TopicRules rules = TopicRules.NONE;
  private @Nullable MutableVerdict verdict;
  private boolean keyStartsLimited;
  private boolean valueStartsLimited;
  private boolean schemasLimited;
  private SchemaRule.@Nullable Place keySchemaPlace;
  private SchemaRule.@Nullable Place valueSchemaPlace;
  private boolean observing;
  private boolean timestampsChecked;
  private boolean plain;
  private long baseTimestamp;
  private long requiredHeaders;
  private long forbiddenHeaders;
  private long namedHeaders;
  private int index;
  private long start;

  public TopicChecks() {}

  /**
   * Starts a batch of magic 2 and checks its header.
   *
   * @param header of the batch, 61 bytes
   * @param policy has the rules
   * @param rebuilt true if the records will be written into a new batch
   * @param filled takes the violations; kept until the next start
   * @return true if the records have to be checked
   */
  public boolean begin(BatchHeader header, Policy policy, boolean rebuilt, MutableVerdict filled) {
    if (!begin(policy, filled) || header.isControl()) {
      return false;
    }
    plain = header.codecId() == Codec.NONE.id();
    baseTimestamp = header.baseTimestamp();
    topicCodecNotAllowed(header.codecId());
    timestampsChecked = checkClaimedTime(header, policy, rebuilt);
    usual.timestamps(timestampsChecked, baseTimestamp);
    return rules.looksAtRecords();
  }

  /**
   * Checks the maximum timestamp of a client's batch that claims log append time on a topic of
   * create time. Kafka drops the claim and stores that timestamp: in place as the maximum of the
   * batch, in a rebuild as the create time of each record.
   *
   * @return true if the timestamps of the records are stored as create times
   */
  private boolean checkClaimedTime(BatchHeader header, Policy policy, boolean rebuilt) {
    boolean isChecked =
        rules.millisecondsRequired()
            && policy.target().timestampType() == TimestampType.CREATE_TIME;
    if (!isChecked || !header.isLogAppendTime()) {
      return isChecked;
    }
    if (policy.origin() == Origin.STORED) {
      return false; // the broker has set the time
    }
    checkTimestamp(header.maxTimestamp());
    return !rebuilt;
  }

  /**
   * Checks a message of magic 0 or 1, whose records are not looked at.
   *
   * @param message an uncompressed message, or a compressed message that contains others
   * @param policy has the rules
   * @param filled takes the violations
   */
  public void check(LegacyHeader message, Policy policy, MutableVerdict filled) {
    if (begin(policy, filled)) {
      topicMagicUnsupported(message.magic());
      topicCodecNotAllowed(message.codecId());
    }
  }

  @SuppressWarnings("ReferenceEquality") // equal rules may be taken for others
  private boolean begin(Policy policy, MutableVerdict filled) {
    TopicRules next = policy.topicRules();
    if (next.isNone() || !Reason.TOPIC_CODEC_NOT_ALLOWED.appliesTo(policy.origin())) {
      return false;
    }
    index = MutableVerdict.NO_RECORD;
    if (rules != next) { // nearly always the same
      take(next);
    }
    if (verdict != filled) {
      verdict = filled;
    }
    observing = policy.observing() && policy.level() == Level.KAFKA;
    return true;
  }

  /** Copies what the loop over the records compares, and forgets what other rules allowed. */
  private void take(TopicRules next) {
    rules = next;
    int required = next.requiredHeaders().size();
    requiredHeaders = (1L << required) - 1;
    forbiddenHeaders = ((1L << next.forbiddenHeaders().size()) - 1) << required;
    namedHeaders =
        requiredHeaders | forbiddenHeaders | (next.headerKeysUtf8() ? RecordContent.MALFORMED : 0);
    usual.keys(next.keyRequired(), next.keyBytes());
    usual.values(next.valueRequired(), next.valueBytes());
    keyStartsLimited = !next.keyStarts().isEmpty();
    valueStartsLimited = !next.valueStarts().isEmpty();
    keySchemaPlace = place(next.keySchema());
    valueSchemaPlace = place(next.valueSchema());
    schemasLimited = keySchemaPlace != null || valueSchemaPlace != null;
    keyIds.begin(next.keySchema());
    valueIds.begin(next.valueSchema());
    keyStarts.begin(next.keyStarts());
    valueStarts.begin(next.valueStarts());
  }

  /**
   * Checks the current record of a walk.
   *
   * @param record the walk
   * @param content of the record, as far as the rules look at it
   * @return true if the record passes
   */
  public boolean check(BatchRecordWalk record, RecordContent content) {
    int keySize = record.keySize();
    int valueSize = record.valueSize();
    boolean isUsual =
        usual.contain(keySize, valueSize, record.timestampDelta())
            && isUsual(content, keySize, valueSize);
    if (isUsual && (!schemasLimited || content.hasAllowedIds())) {
      return true;
    }
    index = record.index();
    start = record.start();
    boolean passes =
        isUsual ? schemasPass(content, keySize, valueSize) : checkEach(record, content);
    if (passes
        && schemasLimited
        && isInHeader(keySchemaPlace, content, HeaderKeys.KEY_SCHEMA, keySize)
        && isInHeader(valueSchemaPlace, content, HeaderKeys.VALUE_SCHEMA, valueSize)) {
      content.allowIds();
    }
    if (!passes && !observing) {
      FailedRecords failures = Objects.requireNonNull(verdict).walk().violations().records();
      failures.complete(record.offsetDelta(), keySize, valueSize);
    }
    return passes;
  }

  /** {@return true if a record passes all rules about its content but those about schemas} */
  private boolean isUsual(RecordContent content, int keySize, int valueSize) {
    return (!keyStartsLimited || keyStarts.isLast(content.array(), content.keyAt(), keySize))
        && (!valueStartsLimited
            || valueStarts.isLast(content.array(), content.valueAt(), valueSize))
        && ((content.headersSeen() ^ requiredHeaders) & namedHeaders) == 0;
  }

  /** Checks a record rule by rule. */
  private boolean checkEach(BatchRecordWalk record, RecordContent content) {
    int keySize = record.keySize();
    int valueSize = record.valueSize();
    boolean passes = topicKeyMissing(keySize);
    passes &= topicValueMissing(valueSize);
    passes &= topicKeySizeOutOfRange(keySize);
    passes &= topicValueSizeOutOfRange(valueSize);
    if (content.isLookedAt()) {
      passes &= checkContent(content, keySize, valueSize);
    }
    passes &= !timestampsChecked || checkTimestamp(baseTimestamp + record.timestampDelta());
    return passes;
  }

  private boolean checkContent(RecordContent content, int keySize, int valueSize) {
    boolean passes = topicKeyStartUnexpected(content, keySize);
    passes &= topicValueStartUnexpected(content, valueSize);
    passes &= schemasPass(content, keySize, valueSize);
    passes &= topicHeaderMissing(content);
    passes &= topicHeaderForbidden(content);
    passes &= topicHeaderKeyNotUtf8(content);
    return passes;
  }

  boolean topicMagicUnsupported(byte magic) {
    return !rules.looksAtRecords() || fail(Reason.TOPIC_MAGIC_UNSUPPORTED, magic, 0);
  }

  boolean topicCodecNotAllowed(int codecId) {
    Codec codec = Codec.byId(codecId);
    return codec == null
        || rules.allowsCodec(codec)
        || fail(Reason.TOPIC_CODEC_NOT_ALLOWED, codecId, 0);
  }

  boolean topicKeyMissing(int keySize) {
    return keySize >= 0 || !rules.keyRequired() || fail(Reason.TOPIC_KEY_MISSING, 0, 0);
  }

  boolean topicValueMissing(int valueSize) {
    return valueSize >= 0 || !rules.valueRequired() || fail(Reason.TOPIC_VALUE_MISSING, 0, 0);
  }

  boolean topicKeySizeOutOfRange(int keySize) {
    SizeRange range = rules.keyBytes();
    return keySize < 0
        || range.contains(keySize)
        || fail(Reason.TOPIC_KEY_SIZE_OUT_OF_RANGE, keySize, FieldBounds.nearest(range, keySize));
  }

  boolean topicValueSizeOutOfRange(int valueSize) {
    SizeRange range = rules.valueBytes();
    return valueSize < 0
        || range.contains(valueSize)
        || fail(
            Reason.TOPIC_VALUE_SIZE_OUT_OF_RANGE, valueSize, FieldBounds.nearest(range, valueSize));
  }

  boolean topicKeyStartUnexpected(RecordContent content, int keySize) {
    return keySize < 0
        || keyStarts.allow(content.array(), content.keyAt(), keySize)
        || fail(
            Reason.TOPIC_KEY_START_UNEXPECTED,
            LastStart.firstBytes(content.array(), content.keyAt(), keySize),
            keySize);
  }

  boolean topicValueStartUnexpected(RecordContent content, int valueSize) {
    return valueSize < 0
        || valueStarts.allow(content.array(), content.valueAt(), valueSize)
        || fail(
            Reason.TOPIC_VALUE_START_UNEXPECTED,
            LastStart.firstBytes(content.array(), content.valueAt(), valueSize),
            valueSize);
  }

  private boolean schemasPass(RecordContent content, int keySize, int valueSize) {
    SchemaRule.Place ofKey = keySchemaPlace;
    SchemaRule.Place ofValue = valueSchemaPlace;
    boolean passes =
        ofKey == null
            || keySize < 0
            || checkSchema(ofKey, keyIds, content, HeaderKeys.KEY_SCHEMA, content.keyAt(), keySize);
    passes &=
        ofValue == null
            || valueSize < 0
            || checkSchema(
                ofValue, valueIds, content, HeaderKeys.VALUE_SCHEMA, content.valueAt(), valueSize);
    return passes;
  }

  /** {@return true if no more than a header decides whether a schema is allowed} */
  private static boolean isInHeader(
      SchemaRule.@Nullable Place place, RecordContent content, int schema, int size) {
    return place == null
        || (place != SchemaRule.Place.PAYLOAD && size >= 0 && content.hasSchema(schema));
  }

  private static SchemaRule.@Nullable Place place(@Nullable SchemaRule rule) {
    return rule == null ? null : rule.place();
  }

  private boolean checkSchema(
      SchemaRule.Place place, LastAllowed ids, RecordContent content, int what, int at, int size) {
    if (place != SchemaRule.Place.PAYLOAD) {
      if (content.schemaSize(what) != RecordContent.ABSENT) {
        return checkHeader(ids, content, what);
      }
      int globalId = what + HeaderKeys.TO_GLOBAL_ID;
      if (content.schemaSize(globalId) != RecordContent.ABSENT) {
        return checkGlobalId(ids, content, globalId);
      }
      if (place == SchemaRule.Place.HEADER) {
        return failSchema(what);
      }
    }
    byte[] array = content.array();
    return (size >= ID_BYTES && array[at] == PAYLOAD_MAGIC)
        ? checkId(ids, BigEndian.getInt(array, at + 1), what)
        : failSchema(what);
  }

  private boolean checkHeader(LastAllowed ids, RecordContent content, int what) {
    byte[] array = content.headerArray();
    int at = content.schemaAt(what);
    int size = content.schemaSize(what);
    if (size == ID_BYTES && array[at] == ID_MAGIC) {
      return checkId(ids, BigEndian.getInt(array, at + 1), what);
    }
    if (size != GUID_BYTES || array[at] != GUID_MAGIC) {
      return failSchema(what);
    }
    long high = BigEndian.getLong(array, at + 1);
    return ids.allowsGuid(high, BigEndian.getLong(array, at + 1 + Long.BYTES))
        || failSchemaGuid(what, high >>> Integer.SIZE);
  }

  private boolean checkGlobalId(LastAllowed ids, RecordContent content, int header) {
    int what = header - HeaderKeys.TO_GLOBAL_ID;
    if (content.schemaSize(header) != Long.BYTES) {
      return failSchema(what);
    }
    long id = BigEndian.getLong(content.headerArray(), content.schemaAt(header));
    return ids.allowsGlobalId(id) || failSchemaId(what, id);
  }

  private boolean checkId(LastAllowed ids, int id, int what) {
    return ids.allowsId(id) || failSchemaId(what, Integer.toUnsignedLong(id));
  }

  private boolean failSchema(int what) {
    return what == HeaderKeys.KEY_SCHEMA ? topicKeySchemaMissing() : topicValueSchemaMissing();
  }

  private boolean failSchemaId(int what, long id) {
    return what == HeaderKeys.KEY_SCHEMA
        ? topicKeySchemaNotAllowed(id)
        : topicValueSchemaNotAllowed(id);
  }

  private boolean failSchemaGuid(int what, long firstBytes) {
    return what == HeaderKeys.KEY_SCHEMA
        ? topicKeySchemaGuidNotAllowed(firstBytes)
        : topicValueSchemaGuidNotAllowed(firstBytes);
  }

  boolean topicKeySchemaMissing() {
    return fail(Reason.TOPIC_KEY_SCHEMA_MISSING, 0, 0);
  }

  boolean topicKeySchemaNotAllowed(long id) {
    return fail(Reason.TOPIC_KEY_SCHEMA_NOT_ALLOWED, id, 0);
  }

  boolean topicKeySchemaGuidNotAllowed(long firstBytes) {
    return fail(Reason.TOPIC_KEY_SCHEMA_GUID_NOT_ALLOWED, firstBytes, 0);
  }

  boolean topicValueSchemaMissing() {
    return fail(Reason.TOPIC_VALUE_SCHEMA_MISSING, 0, 0);
  }

  boolean topicValueSchemaNotAllowed(long id) {
    return fail(Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED, id, 0);
  }

  boolean topicValueSchemaGuidNotAllowed(long firstBytes) {
    return fail(Reason.TOPIC_VALUE_SCHEMA_GUID_NOT_ALLOWED, firstBytes, 0);
  }

  boolean topicHeaderMissing(RecordContent content) {
    long missing = requiredHeaders & ~content.headersSeen();
    return missing == 0
        || fail(Reason.TOPIC_HEADER_MISSING, Long.numberOfTrailingZeros(missing), 0);
  }

  boolean topicHeaderForbidden(RecordContent content) {
    long found = forbiddenHeaders & content.headersSeen();
    int first = Long.numberOfTrailingZeros(forbiddenHeaders);
    return found == 0
        || fail(Reason.TOPIC_HEADER_FORBIDDEN, Long.numberOfTrailingZeros(found) - first, 0);
  }

  boolean topicHeaderKeyNotUtf8(RecordContent content) {
    return !rules.headerKeysUtf8()
        || !content.hasMalformedHeader()
        || fail(Reason.TOPIC_HEADER_KEY_NOT_UTF8, content.malformedHeader(), 0);
  }

  private boolean checkTimestamp(long timestamp) {
    return timestamp == NO_TIMESTAMP
        || FieldBounds.isPlausible(timestamp)
        || (topicTimestampInSeconds(timestamp)
            && topicTimestampInMicroseconds(timestamp)
            && topicTimestampInNanoseconds(timestamp));
  }

  boolean topicTimestampInSeconds(long timestamp) {
    return !FieldBounds.isPlausibleInSeconds(timestamp)
        || fail(Reason.TOPIC_TIMESTAMP_IN_SECONDS, timestamp, 0);
  }

  boolean topicTimestampInMicroseconds(long timestamp) {
    return !FieldBounds.isPlausible(timestamp / FieldBounds.THOUSAND)
        || fail(Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS, timestamp, 0);
  }

  boolean topicTimestampInNanoseconds(long timestamp) {
    return !FieldBounds.isPlausible(timestamp / (FieldBounds.THOUSAND * FieldBounds.THOUSAND))
        || fail(Reason.TOPIC_TIMESTAMP_IN_NANOSECONDS, timestamp, 0);
  }

  /** Reports a violation. The position of a record inside a compressed payload is unknown. */
  private boolean fail(Reason why, long first, long second) {
    MutableVerdict judged = Objects.requireNonNull(verdict);
    if (index == MutableVerdict.NO_RECORD) {
      return observing ? judged.findings().add(why, 0, first, 0) : judged.violate(why, first);
    }
    if (!observing) {
      return judged.walk().violations().add(why, index, start, first, second);
    }
    int position = BatchLayout.HEADER_BYTES + (plain ? (int) start : 0);
    return judged.findings().add(why, position, index, start, first, second);
  }
}
