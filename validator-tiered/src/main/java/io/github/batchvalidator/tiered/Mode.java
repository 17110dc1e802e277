// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.util.Locale;

/** The effect of an audit on an upload. */
enum Mode {
  /** Nothing is audited. */
  OFF,
  /** A damaged segment is logged and counted, and is uploaded all the same. */
  OBSERVE,
  /** A damaged segment is not uploaded. */
  ENFORCE;

  /** Returns the value of the setting. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
