// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import java.util.List;

/** All hostile inputs, in the order of the table in {@code docs/security.md}. */
final class HostileInputs {
  private HostileInputs() {}

  /** Returns those that cost more than their size suggests: the first ones of all. */
  static List<HostileInput> costly() {
    Rows rows = new Rows();
    HostileWork.addTo(rows);
    return rows.all();
  }

  static List<HostileInput> all() {
    Rows rows = new Rows();
    HostileWork.addTo(rows);
    HostileGzip.addTo(rows);
    HostileSnappy.addTo(rows);
    HostileLz4.addTo(rows);
    HostileZstd.addTo(rows);
    HostileRecords.addTo(rows);
    HostileHeaders.addTo(rows);
    HostileMessages.addTo(rows);
    return rows.all();
  }
}
