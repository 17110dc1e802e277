// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.Objects;

/**
 * The schema id that keys or values of a topic need. A null key or value needs none.
 *
 * <p>Confluent's payload format is a byte 0 and an id of 4 bytes in front of the data. A header
 * {@code __key_schema_id} or {@code __value_schema_id} contains a byte 0 and an id of 4 bytes, or a
 * byte 1 and a GUID of 16 bytes. Apicurio's headers {@code apicurio.key.globalId} and {@code
 * apicurio.value.globalId} contain a global id of 8 bytes. All numbers are big-endian. If a header
 * occurs more than once, the last one counts. Confluent's header precedes Apicurio's.
 *
 * @param place where the id is
 * @param ids the allowed ids
 */
public record SchemaRule(Place place, SchemaIds ids) {
  /** The place of a schema id. */
  public enum Place {
    /** In front of the data. */
    PAYLOAD("payload"),
    /** In a header. */
    HEADER("header"),
    /** In a header, or else in front of the data, as the deserializers look for it. */
    EITHER("either");

    private final String label;

    Place(String label) {
      this.label = label;
    }

    /** {@return the name in policy files} */
    public String label() {
      return label;
    }
  }

  /**
   * Checks the values.
   *
   * @param place as above
   * @param ids as above
   */
  public SchemaRule {
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(ids, "ids");
  }
}
