// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.tiered.ObjectName.Layout;
import org.jspecify.annotations.Nullable;

/** The content of an object of a segment. */
enum ObjectType {
  /** The batches. Both layouts have it. */
  LOG("log", null, true),
  /** The offset index. */
  OFFSET_INDEX("index", Layout.KAFKA, true),
  /** The time index. */
  TIME_INDEX("timeindex", Layout.KAFKA, true),
  /** The transaction index, which only some segments have. */
  TXN_INDEX("txnindex", Layout.KAFKA, false),
  /** The state of the producers after the segment. */
  PRODUCER_SNAPSHOT("snapshot", Layout.KAFKA, true),
  /** The leader epochs up to the end of the segment. */
  LEADER_EPOCHS("leader_epoch_checkpoint", Layout.KAFKA, true),
  /** All of these in one object. */
  INDEXES("indexes", Layout.AIVEN, true),
  /** The manifest, which is uploaded last. */
  MANIFEST("rsm-manifest", Layout.AIVEN, true);

  private final String suffix;
  private final @Nullable Layout only;
  private final boolean required;

  ObjectType(String suffix, @Nullable Layout only, boolean required) {
    this.suffix = suffix;
    this.only = only;
    this.required = required;
  }

  String suffix() {
    return suffix;
  }

  /** Returns true if each segment of a layout needs an object of this type. */
  boolean isRequired(Layout layout) {
    return required && isOf(layout);
  }

  private boolean isOf(Layout layout) {
    return only == null || only == layout;
  }

  /** Returns the type of a suffix, or null if the layout has none. */
  static @Nullable ObjectType of(Layout layout, String suffix) {
    for (ObjectType type : values()) {
      if (type.isOf(layout) && type.suffix.equals(suffix)) {
        return type;
      }
    }
    return null;
  }
}
