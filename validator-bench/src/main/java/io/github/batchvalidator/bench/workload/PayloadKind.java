// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.util.SplittableRandom;

/** The content of the records' values. */
public enum PayloadKind {
  /** Events of a web shop. */
  JSON {
    @Override
    ValueSource values(SplittableRandom random) {
      return new JsonEvents(random);
    }
  },

  /** Lines of a service's log. */
  LOG_LINES {
    @Override
    ValueSource values(SplittableRandom random) {
      return new LogLines(random);
    }
  },

  /** Random bytes, as encrypted or already compressed values are. */
  INCOMPRESSIBLE {
    @Override
    ValueSource values(SplittableRandom random) {
      return (bytes, timeMs) -> {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return value;
      };
    }
  };

  abstract ValueSource values(SplittableRandom random);
}
