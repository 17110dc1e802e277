// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.format.BigEndian;
import io.github.batchvalidator.internal.scan.HeaderContent;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.internal.scan.SchemaKeys;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import org.jspecify.annotations.Nullable;

/**
 * A check of the schema ids of keys, or of those of values. {@link SchemaPlace} says where they
 * are.
 *
 * <p>Never allocates. Confined to one thread.
 */
final class SchemaCheck {
  private static final int PAYLOAD_MAGIC = 0;
  private static final int ID_MAGIC = 0;
  private static final int GUID_MAGIC = 1;
  private static final int ID_BYTES = 1 + Integer.BYTES;
  private static final int GUID_BYTES = 1 + 2 * Long.BYTES;

  private final int header;
  private final Reason missing;
  private final Reason idNotAllowed;
  private final Reason guidNotAllowed;
  private final LastAllowed ids = new LastAllowed();
  private SchemaPlace place = SchemaPlace.NONE;
  private long operand;

  private SchemaCheck(int header, Reason missing, Reason idNotAllowed, Reason guidNotAllowed) {
    this.header = header;
    this.missing = missing;
    this.idNotAllowed = idNotAllowed;
    this.guidNotAllowed = guidNotAllowed;
  }

  static SchemaCheck ofKeys() {
    return new SchemaCheck(
        SchemaKeys.KEY,
        Reason.TOPIC_KEY_SCHEMA_MISSING,
        Reason.TOPIC_KEY_SCHEMA_NOT_ALLOWED,
        Reason.TOPIC_KEY_SCHEMA_GUID_NOT_ALLOWED);
  }

  static SchemaCheck ofValues() {
    return new SchemaCheck(
        SchemaKeys.VALUE,
        Reason.TOPIC_VALUE_SCHEMA_MISSING,
        Reason.TOPIC_VALUE_SCHEMA_NOT_ALLOWED,
        Reason.TOPIC_VALUE_SCHEMA_GUID_NOT_ALLOWED);
  }

  /** Starts a rule, and forgets what another rule allowed. */
  void begin(SchemaPlace where, SchemaIds allowed) {
    place = where;
    ids.begin(allowed);
  }

  /** {@return true if the topic has this rule} */
  boolean isNeeded() {
    return place != SchemaPlace.NONE;
  }

  /** {@return true if no more than a header decides whether a schema is allowed} */
  boolean isDecidedByHeader(RecordContent content, int size) {
    return !isNeeded()
        || (place.isHeaderRead() && size >= 0 && content.headers().hasSchema(header));
  }

  /**
   * {@return the violation, or null}
   *
   * @param content of the record
   * @param at index of the first byte of the key or value
   * @param size of the key or value, negative for null
   */
  @Nullable Reason violation(RecordContent content, int at, int size) {
    operand = 0;
    if (size < 0 || !isNeeded()) {
      return null;
    }
    if (place.isHeaderRead()) {
      if (content.headers().schemaSize(header) != HeaderContent.ABSENT) {
        return ofHeader(content);
      }
      if (content.headers().schemaSize(header + SchemaKeys.TO_GLOBAL_ID) != HeaderContent.ABSENT) {
        return ofGlobalId(content, header + SchemaKeys.TO_GLOBAL_ID);
      }
    }
    boolean isInPayload =
        place.isPayloadRead() && size >= ID_BYTES && content.array()[at] == PAYLOAD_MAGIC;
    return isInPayload ? ofId(BigEndian.getInt(content.array(), at + 1)) : missing;
  }

  /** {@return the id that the last violation names, or the first bytes of a GUID, or 0} */
  long operand() {
    return operand;
  }

  private @Nullable Reason ofHeader(RecordContent content) {
    byte[] array = content.headers().array();
    int at = content.headers().schemaAt(header);
    int size = content.headers().schemaSize(header);
    if (size == ID_BYTES && array[at] == ID_MAGIC) {
      return ofId(BigEndian.getInt(array, at + 1));
    }
    if (size != GUID_BYTES || array[at] != GUID_MAGIC) {
      return missing;
    }
    long high = BigEndian.getLong(array, at + 1);
    if (ids.allowsGuid(high, BigEndian.getLong(array, at + 1 + Long.BYTES))) {
      return null;
    }
    operand = high >>> Integer.SIZE;
    return guidNotAllowed;
  }

  private @Nullable Reason ofGlobalId(RecordContent content, int globalId) {
    if (content.headers().schemaSize(globalId) != Long.BYTES) {
      return missing;
    }
    operand = BigEndian.getLong(content.headers().array(), content.headers().schemaAt(globalId));
    return ids.allowsGlobalId(operand) ? null : idNotAllowed;
  }

  private @Nullable Reason ofId(int id) {
    operand = Integer.toUnsignedLong(id);
    return ids.allowsId(id) ? null : idNotAllowed;
  }
}
