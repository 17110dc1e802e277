// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.engine;

import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.rule.HeaderKeys;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaRule;
import io.github.batchvalidator.rule.TopicRules;

/**
 * The values of those headers of a record that have schema ids, as the rules of a topic see them.
 * Reused for every record. Confined to one thread.
 */
public final class SchemaHeaders {
  private final RecordContent content = new RecordContent();

  /** Creates an object without a record. */
  public SchemaHeaders() {
    SchemaRule anySchema = new SchemaRule(SchemaRule.Place.EITHER, SchemaIds.ANY);
    content.begin(TopicRules.builder().keySchema(anySchema).valueSchema(anySchema).build());
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
    return content.headerArray();
  }

  /**
   * {@return the index of the first byte of the value of a header}
   *
   * @param schema {@link HeaderKeys#KEY_SCHEMA} or {@link HeaderKeys#VALUE_SCHEMA}, plus {@link
   *     HeaderKeys#TO_GLOBAL_ID} for the header with the global id
   */
  public int position(int schema) {
    return content.schemaAt(schema);
  }

  /**
   * {@return the size of the value of a header; negative if the value is null or the header absent}
   *
   * @param schema as for {@link #position}
   */
  public int size(int schema) {
    return content.schemaSize(schema);
  }
}
