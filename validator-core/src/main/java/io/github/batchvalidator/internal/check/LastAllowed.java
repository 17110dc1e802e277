// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.check;

import io.github.batchvalidator.rule.SchemaIds;

/**
 * The schema ids that a rule allows, and the last id of each form that it allowed. The records of a
 * topic nearly always have the same schema id, so comparing it with the last one replaces a search.
 *
 * <p>Never allocates. Confined to one thread.
 */
final class LastAllowed {
  private static final long NO_ID = -1;

  private SchemaIds ids = SchemaIds.ANY;
  private long lastId;
  private long lastGlobalId;
  private long lastHigh;
  private long lastLow;
  private boolean hasGlobalId;
  private boolean hasGuid;

  LastAllowed() {
    begin(SchemaIds.ANY);
  }

  /** Starts a rule, and forgets what another rule allowed. */
  void begin(SchemaIds next) {
    ids = next;
    lastId = NO_ID;
    hasGlobalId = false;
    hasGuid = false;
  }

  /** {@return true if the rule allows an id of 4 bytes} */
  boolean allowsId(int id) {
    long number = Integer.toUnsignedLong(id);
    if (number == lastId) {
      return true;
    }
    boolean allowed = ids.allowsId(id);
    lastId = allowed ? number : lastId;
    return allowed;
  }

  /** {@return true if the rule allows a global id of 8 bytes} */
  boolean allowsGlobalId(long id) {
    if (id == lastGlobalId && hasGlobalId) {
      return true;
    }
    boolean allowed = ids.allowsGlobalId(id);
    if (allowed) {
      lastGlobalId = id;
      hasGlobalId = true;
    }
    return allowed;
  }

  /** {@return true if the rule allows a GUID, given its two halves} */
  boolean allowsGuid(long high, long low) {
    if (high == lastHigh && low == lastLow && hasGuid) {
      return true;
    }
    boolean allowed = ids.allowsGuid(high, low);
    if (allowed) {
      lastHigh = high;
      lastLow = low;
      hasGuid = true;
    }
    return allowed;
  }
}
