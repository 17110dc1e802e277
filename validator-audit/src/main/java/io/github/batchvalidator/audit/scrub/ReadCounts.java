// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The bytes that were read, and where the last files were read from. Confined to one thread. */
final class ReadCounts {
  /** Faults are reported soon after their file is opened. */
  private static final int MAX_FILES = 256;

  private final Map<ReadFrom, Long> bytes = new EnumMap<>(ReadFrom.class);

  private final Map<String, ReadFrom> files =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ReadFrom> eldest) {
          return size() > MAX_FILES;
        }
      };

  /** Says where a file is read from. */
  void file(String name, ReadFrom from) {
    files.remove(name); // a new entry is the youngest
    files.put(name, from);
  }

  /** Adds bytes that were read. */
  void read(ReadFrom from, long count) {
    bytes.merge(from, count, Long::sum);
  }

  /** Returns the number of bytes that were read. */
  long bytes(ReadFrom from) {
    return bytes.getOrDefault(from, 0L);
  }

  /** Returns where a file was read from. Files beside segments are read from the cache. */
  ReadFrom of(String name) {
    return files.getOrDefault(name, ReadFrom.CACHE);
  }
}
