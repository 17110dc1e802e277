// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Work whose results come in the order of the items, or a failure. */
class OrderedWorkTest {
  private static final int ITEMS = 1000;

  /** A worker whose result for an item is the item. */
  private static final class Same implements OrderedWork.Worker<Integer> {
    @Override
    public Integer work(int item) {
      return item;
    }

    @Override
    public void close() {}
  }

  private static OrderedWork.Worker<Integer> none() {
    throw new OutOfMemoryError("no direct memory");
  }

  @Test
  void theResultsComeInOrder() throws Exception {
    List<Integer> results = new ArrayList<>();
    new OrderedWork<Integer>(ITEMS, results::add).run(3, Same::new);
    assertEquals(IntStream.range(0, ITEMS).boxed().toList(), results);
  }

  @Test
  void aWorkerThatCannotBeCreatedIsAFailure() {
    List<Integer> results = new ArrayList<>();
    OrderedWork<Integer> work = new OrderedWork<>(ITEMS, results::add);
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> work.run(2, OrderedWorkTest::none));
    assertInstanceOf(OutOfMemoryError.class, thrown.getCause());
    assertEquals(List.of(), results);
  }
}
