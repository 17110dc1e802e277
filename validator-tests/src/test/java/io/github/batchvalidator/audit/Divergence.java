// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import java.util.List;

/**
 * A change of the second of three copies.
 *
 * @param what describes the change
 * @param planting changes the copy
 */
record Divergence(String what, Planting planting) {
  /** Changes a copy. */
  @FunctionalInterface
  interface Planting {
    /** Changes the files, and returns the differences to find, as {@link Compared} writes them. */
    List<String> plant(StoredLog log) throws Exception;
  }

  /** Returns the difference of one batch. */
  static List<String> at(String reason, StoredLog.Batch batch, String states) {
    return List.of(reason + " " + batch.base() + "-" + batch.last() + " " + states);
  }

  @Override
  public String toString() {
    return what;
  }
}
