// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.scan.BatchRecordWalk;
import io.github.batchvalidator.internal.scan.HeaderContent;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.verdict.FailedRecords;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The checks of {@link TopicRules}, which Kafka does not have. A check returns true if the batch or
 * record passes. Otherwise it reports the violation and returns false.
 *
 * <p>The violations decide only if Kafka accepts the batch. An observing policy gets them as
 * findings, of each record all of them. Otherwise the first violation of a record counts.
 *
 * <p>Never allocates. Confined to one thread.
 */
public final class TopicChecks {
  private static final long NO_TIMESTAMP = -1;

  private final SchemaCheck keySchema = SchemaCheck.ofKeys();
  private final SchemaCheck valueSchema = SchemaCheck.ofValues();
  private final LastStart keyStarts = new LastStart();
  private final LastStart valueStarts = new LastStart();
  private final FieldBounds usual = new FieldBounds();

  private TopicRules rules = TopicRules.NONE;
  private @Nullable MutableVerdict verdict;
  private boolean keyStartsLimited;
  private boolean valueStartsLimited;
  private boolean schemasNeeded;
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
    checkCodec(header.codecId());
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
        rules.get(TopicRule.TIMESTAMPS_MILLISECONDS)
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
      checkMagic(message.magic());
      checkCodec(message.codecId());
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
    int required = next.get(TopicRule.HEADERS_REQUIRED).size();
    int forbidden = next.get(TopicRule.HEADERS_FORBIDDEN).size();
    requiredHeaders = (1L << required) - 1;
    forbiddenHeaders = ((1L << forbidden) - 1) << required;
    long malformed = next.get(TopicRule.HEADERS_UTF8) ? HeaderContent.MALFORMED : 0;
    namedHeaders = requiredHeaders | forbiddenHeaders | malformed;
    usual.keys(next.get(TopicRule.KEY_REQUIRED), next.get(TopicRule.KEY_BYTES));
    usual.values(next.get(TopicRule.VALUE_REQUIRED), next.get(TopicRule.VALUE_BYTES));
    keyStarts.begin(next.get(TopicRule.KEY_STARTS));
    valueStarts.begin(next.get(TopicRule.VALUE_STARTS));
    keyStartsLimited = !next.get(TopicRule.KEY_STARTS).isEmpty();
    valueStartsLimited = !next.get(TopicRule.VALUE_STARTS).isEmpty();
    keySchema.begin(next.get(TopicRule.KEY_SCHEMA), next.get(TopicRule.KEY_SCHEMA_IDS));
    valueSchema.begin(next.get(TopicRule.VALUE_SCHEMA), next.get(TopicRule.VALUE_SCHEMA_IDS));
    schemasNeeded = keySchema.isNeeded() || valueSchema.isNeeded();
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
    if (isUsual && (!schemasNeeded || content.headers().hasAllowedIds())) {
      return true;
    }
    index = record.index();
    start = record.start();
    boolean passes =
        isUsual ? schemasPass(content, keySize, valueSize) : checkEach(record, content);
    if (passes
        && schemasNeeded
        && keySchema.isDecidedByHeader(content, keySize)
        && valueSchema.isDecidedByHeader(content, valueSize)) {
      content.headers().allowIds();
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
        && ((content.headers().seen() ^ requiredHeaders) & namedHeaders) == 0;
  }

  /** Checks a record rule by rule, in the order of the reasons. */
  private boolean checkEach(BatchRecordWalk record, RecordContent content) {
    int keySize = record.keySize();
    int valueSize = record.valueSize();
    boolean passes = isThere(keySize, TopicRule.KEY_REQUIRED, Reason.TOPIC_KEY_MISSING);
    passes &= isThere(valueSize, TopicRule.VALUE_REQUIRED, Reason.TOPIC_VALUE_MISSING);
    passes &= isInRange(keySize, TopicRule.KEY_BYTES, Reason.TOPIC_KEY_SIZE_OUT_OF_RANGE);
    passes &= isInRange(valueSize, TopicRule.VALUE_BYTES, Reason.TOPIC_VALUE_SIZE_OUT_OF_RANGE);
    if (content.isLookedAt()) {
      passes &= checkContent(content, keySize, valueSize);
    }
    passes &= !timestampsChecked || checkTimestamp(baseTimestamp + record.timestampDelta());
    return passes;
  }

  private boolean checkContent(RecordContent content, int keySize, int valueSize) {
    byte[] array = content.array();
    int keyAt = content.keyAt();
    int valueAt = content.valueAt();
    boolean passes =
        startsRight(keyStarts, array, keyAt, keySize, Reason.TOPIC_KEY_START_UNEXPECTED);
    passes &=
        startsRight(valueStarts, array, valueAt, valueSize, Reason.TOPIC_VALUE_START_UNEXPECTED);
    passes &= schemasPass(content, keySize, valueSize);
    passes &= headersPass(content);
    return passes;
  }

  private void checkMagic(byte magic) {
    if (rules.looksAtRecords()) {
      fail(Reason.TOPIC_MAGIC_UNSUPPORTED, magic, 0);
    }
  }

  private void checkCodec(int codecId) {
    Codec codec = Codec.byId(codecId);
    if (codec != null && !rules.allowsCodec(codec)) {
      fail(Reason.TOPIC_CODEC_NOT_ALLOWED, codecId, 0);
    }
  }

  private boolean isThere(int size, TopicRule<Boolean> required, Reason why) {
    return size >= 0 || !rules.get(required) || fail(why, 0, 0);
  }

  private boolean isInRange(int size, TopicRule<SizeRange> rule, Reason why) {
    SizeRange range = rules.get(rule);
    return size < 0
        || range.contains(size)
        || fail(why, size, size < range.least() ? range.least() : range.most());
  }

  private boolean startsRight(LastStart starts, byte[] array, int at, int size, Reason why) {
    return size < 0
        || starts.allow(array, at, size)
        || fail(why, LastStart.firstBytes(array, at, size), size);
  }

  private boolean schemasPass(RecordContent content, int keySize, int valueSize) {
    boolean passes = checkSchema(keySchema, content, content.keyAt(), keySize);
    passes &= checkSchema(valueSchema, content, content.valueAt(), valueSize);
    return passes;
  }

  private boolean checkSchema(SchemaCheck schema, RecordContent content, int at, int size) {
    Reason violation = schema.violation(content, at, size);
    return violation == null || fail(violation, schema.operand(), 0);
  }

  private boolean headersPass(RecordContent content) {
    boolean passes = true;
    long missing = requiredHeaders & ~content.headers().seen();
    if (missing != 0) {
      passes &= fail(Reason.TOPIC_HEADER_MISSING, Long.numberOfTrailingZeros(missing), 0);
    }
    long found = forbiddenHeaders & content.headers().seen();
    if (found != 0) {
      int first = Long.numberOfTrailingZeros(forbiddenHeaders);
      passes &= fail(Reason.TOPIC_HEADER_FORBIDDEN, Long.numberOfTrailingZeros(found) - first, 0);
    }
    if ((namedHeaders & content.headers().seen() & HeaderContent.MALFORMED) != 0) {
      passes &= fail(Reason.TOPIC_HEADER_KEY_NOT_UTF8, content.headers().malformedHeader(), 0);
    }
    return passes;
  }

  /** Checks that a create time is not plausible only in another unit. */
  private boolean checkTimestamp(long timestamp) {
    if (timestamp == NO_TIMESTAMP || FieldBounds.isPlausible(timestamp)) {
      return true;
    }
    if (FieldBounds.isPlausibleInSeconds(timestamp)) {
      return fail(Reason.TOPIC_TIMESTAMP_IN_SECONDS, timestamp, 0);
    }
    long milliseconds = timestamp / FieldBounds.THOUSAND;
    if (FieldBounds.isPlausible(milliseconds)) {
      return fail(Reason.TOPIC_TIMESTAMP_IN_MICROSECONDS, timestamp, 0);
    }
    return !FieldBounds.isPlausible(milliseconds / FieldBounds.THOUSAND)
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
