// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.engine;

import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.internal.scan.SchemaKeys;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;

/**
 * The values of those headers of a record that have schema ids, as the rules of a topic see them.
 * Reused for every record. Confined to one thread.
 */
public final class SchemaHeaders {
  /** The header with the schema id of the key. */
  public static final int KEY = SchemaKeys.KEY;

  /** The header with the schema id of the value. */
  public static final int VALUE = SchemaKeys.VALUE;

  /** The distance to the header with a global id. */
  public static final int TO_GLOBAL_ID = SchemaKeys.TO_GLOBAL_ID;

  private final RecordContent content = new RecordContent();

  /** Creates an object without a record. */
  public SchemaHeaders() {
    content.begin(TopicRules.NONE.with(TopicRule.VALUE_SCHEMA, SchemaPlace.HEADER));
  }

  /**
   * Reads the headers of a record.
   *
   * @param record the reader, at the record
   */
  public void read(RecordReader record) {
    content.whole(
        record.array(),
        record.keyPosition(),
        record.valuePosition(),
        record.headersPosition(),
        record.end(),
        record.headerCount());
  }

  /** {@return the array with the values, valid until the next record} */
  public byte[] array() {
    return content.headers().array();
  }

  /**
   * {@return the index of the first byte of the value of a header}
   *
   * @param schema {@link #KEY} or {@link #VALUE}, plus {@link #TO_GLOBAL_ID} for the header with
   *     the global id
   */
  public int position(int schema) {
    return content.headers().schemaAt(schema);
  }

  /**
   * {@return the size of the value of a header; negative if the value is null or the header absent}
   *
   * @param schema as for {@link #position}
   */
  public int size(int schema) {
    return content.headers().schemaSize(schema);
  }
}
