// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The batches beside the timed ones in {@code MixedTraffic}. */
class OtherTrafficTest {
  @Test
  void bothOrdersContainTheSameBatchesOfAllCodecs() {
    List<Integer> ascending = records(OtherTraffic.SMALL_FIRST);
    List<Integer> descending = records(OtherTraffic.LARGE_FIRST);

    assertEquals(5 * 6, ascending.size());
    assertEquals(1000, ascending.get(0));
    Collections.reverse(descending);
    assertEquals(ascending, descending);
    assertTrue(OtherTraffic.NONE.open(Contender.CORE).isEmpty());
  }

  /** Returns the number of records that each body reads. */
  private static List<Integer> records(OtherTraffic traffic) {
    List<Body> bodies = traffic.open(Contender.CORE);
    try {
      return new ArrayList<>(
          bodies.stream()
              .map(
                  body -> {
                    body.run();
                    return body.records();
                  })
              .toList());
    } finally {
      bodies.forEach(Body::close);
    }
  }
}
