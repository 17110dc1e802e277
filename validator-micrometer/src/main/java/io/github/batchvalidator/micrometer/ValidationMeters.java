// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.micrometer;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.watch.Counts;
import io.github.batchvalidator.watch.Histogram;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A binder of {@link Counts} to a meter registry.
 *
 * <p>Each meter is a counter of batches, which reads the counts when the registry is read. {@code
 * docs/metrics.md} lists names and tags.
 *
 * <p>Thread-safe. The registry keeps the counts reachable until {@link #close()}.
 *
 * <p>A registry keeps only the first meter with a given name and tags. Several binders therefore
 * need different tags. A host that replaces its counts must close the old binder first.
 *
 * <p>The buckets of the two histograms are counters with the tag {@code le}, the largest value of
 * the bucket. As in Prometheus, each bucket includes all smaller values.
 */
public final class ValidationMeters implements MeterBinder, AutoCloseable {
  static final String ACCEPTED = "batchvalidator.batches.accepted";
  static final String REFUSED = "batchvalidator.batches.refused";
  static final String REASONS = "batchvalidator.batches.refused.reasons";
  static final String FOUND = "batchvalidator.batches.found";
  static final String REBUILT = "batchvalidator.batches.rebuilt";
  static final String PLAIN_BYTES = "batchvalidator.plain.bytes.bucket";
  static final String RATIO = "batchvalidator.ratio.bucket";

  private final Counts counts;
  private final BoundCounters counters;

  /**
   * Creates a binder with tags of the host.
   *
   * @param counts the counts to show; a snapshot would never change
   * @param tags the tags to add to every meter
   */
  public ValidationMeters(Counts counts, Iterable<Tag> tags) {
    this.counts = counts;
    counters = new BoundCounters(tags);
  }

  /**
   * Creates a binder without tags of the host.
   *
   * @param counts the counts to show; a snapshot would never change
   */
  public ValidationMeters(Counts counts) {
    this(counts, Tags.empty());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (Codec codec : Codec.values()) {
      Tags own = Tags.of("codec", id(codec));
      bind(registry, ACCEPTED, own, "Accepted batches", all -> all.accepted(codec));
      bind(registry, REFUSED, own, "Refused batches", all -> all.refusedOf(codec));
    }
    Tags unknown = Tags.of("codec", "unknown");
    bind(registry, REFUSED, unknown, "Refused batches", all -> all.refusedOf(null));
    for (Reason reason : Reason.values()) {
      bindReason(registry, reason);
    }
    for (RebuildCause cause : RebuildCause.values()) {
      Tags own = Tags.of("cause", id(cause));
      bind(registry, REBUILT, own, "Rebuilt batches", all -> all.rebuilt(cause));
    }
    String plain = "Accepted batches by decompressed bytes of their records";
    bindBuckets(registry, PLAIN_BYTES, plain, counts.plainBytes());
    String ratio = "Accepted compressed batches by decompressed bytes per stored byte";
    bindBuckets(registry, RATIO, ratio, counts.ratio());
  }

  /** Removes all meters from the registries that they were bound to. */
  @Override
  public void close() {
    counters.close();
  }

  private void bindReason(MeterRegistry registry, Reason reason) {
    Tags own = Tags.of("reason", reason.name());
    bind(registry, REASONS, own, "Refused batches", all -> all.refused(reason));
    if (reason.isFinding()) {
      String what = "Batches that level KAFKA accepts, with findings";
      bind(registry, FOUND, own, what, all -> all.found(reason));
    }
  }

  private void bindBuckets(MeterRegistry registry, String name, String what, Histogram values) {
    for (int i = 0; i < values.buckets(); i++) {
      int bucket = i;
      long most = values.upperBound(i);
      String bound = most == Long.MAX_VALUE ? "+Inf" : Long.toString(most);
      bind(registry, name, Tags.of("le", bound), what, all -> values.countUpTo(bucket));
    }
  }

  private void bind(
      MeterRegistry registry,
      String name,
      Tags own,
      String description,
      ToDoubleFunction<Counts> number) {
    counters.bind(registry, name, own, description, counts, number);
  }

  private static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
