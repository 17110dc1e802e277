// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToDoubleFunction;

/** The counters of batches that a binder has registered, for their removal. Thread-safe. */
final class BoundCounters {
  private static final String UNIT = "batches";

  private final Tags tags;
  private final Queue<Bound> bound = new ConcurrentLinkedQueue<>();

  private record Bound(MeterRegistry registry, Meter meter) {}

  /** Creates an empty list of counters with tags of the host. */
  BoundCounters(Iterable<Tag> tags) {
    this.tags = Tags.of(tags);
  }

  /** Registers a counter. */
  <T> void bind(
      MeterRegistry registry,
      String name,
      Tags own,
      String description,
      T counts,
      ToDoubleFunction<T> number) {
    // The counter holds its object weakly and its function strongly, so the function holds counts.
    Meter meter =
        FunctionCounter.builder(name, counts, weak -> number.applyAsDouble(counts))
            .tags(tags)
            .tags(own)
            .description(description)
            .baseUnit(UNIT)
            .register(registry);
    bound.add(new Bound(registry, meter));
  }

  /** Removes all counters from their registries. */
  void close() {
    for (Bound each = bound.poll(); each != null; each = bound.poll()) {
      each.registry().remove(each.meter());
    }
  }
}
