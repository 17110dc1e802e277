// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import java.util.List;

/** All hostile inputs, in the order of the table in {@code docs/security.md}. */
final class HostileInputs {
  private HostileInputs() {}

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
