// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

/**
 * The place of the schema id that keys or values of a topic need.
 *
 * <p>Confluent's payload format is a byte 0 and an id of 4 bytes in front of the data. A header
 * {@code __key_schema_id} or {@code __value_schema_id} contains a byte 0 and an id of 4 bytes, or a
 * byte 1 and a GUID of 16 bytes. Apicurio's headers {@code apicurio.key.globalId} and {@code
 * apicurio.value.globalId} contain a global id of 8 bytes. All numbers are big-endian. If a header
 * occurs more than once, the last one counts. Confluent's header precedes Apicurio's.
 */
public enum SchemaPlace {
  /** No schema id is needed. */
  NONE,
  /** In front of the data. */
  PAYLOAD,
  /** In a header. */
  HEADER,
  /** In a header, or else in front of the data, as the deserializers look for it. */
  EITHER;

  /** {@return true if a header may have the id} */
  public boolean isHeaderRead() {
    return this == HEADER || this == EITHER;
  }

  /** {@return true if the data may start with the id} */
  public boolean isPayloadRead() {
    return this == PAYLOAD || this == EITHER;
  }
}
