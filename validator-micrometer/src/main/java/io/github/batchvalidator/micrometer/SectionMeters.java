// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.micrometer;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.policy.SectionCounts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/**
 * A binder of {@link SectionCounts} to a meter registry, for hosts with a policy file.
 *
 * <p>Each section of the file has two counters of batches with the tag {@code section}: refused
 * batches, and batches with findings. The tag {@value SectionCounts#OTHERS} is for sections that
 * are not counted by name. {@code docs/metrics.md} lists the names.
 *
 * <p>A host that replaces its policy file must close this binder and bind one for the new file. The
 * counts continue.
 *
 * <p>Thread-safe. The registry keeps the counts reachable until {@link #close()}.
 */
public final class SectionMeters implements MeterBinder, AutoCloseable {
  static final String REFUSED = "batchvalidator.batches.refused.sections";
  static final String FOUND = "batchvalidator.batches.found.sections";

  private final SectionCounts counts;
  private final List<String> sections;
  private final BoundCounters counters;

  /**
   * Creates a binder with tags of the host.
   *
   * @param counts the counts to show
   * @param file the policy file whose sections have meters
   * @param tags the tags to add to every meter
   */
  public SectionMeters(SectionCounts counts, PolicyFile file, Iterable<Tag> tags) {
    this.counts = counts;
    sections = new ArrayList<>(file.sections().stream().map(PolicySection::name).toList());
    sections.add(SectionCounts.OTHERS);
    counters = new BoundCounters(tags);
  }

  /**
   * Creates a binder without tags of the host.
   *
   * @param counts the counts to show
   * @param file the policy file whose sections have meters
   */
  public SectionMeters(SectionCounts counts, PolicyFile file) {
    this(counts, file, Tags.empty());
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (String section : sections) {
      Tags own = Tags.of("section", section);
      String refused = "Refused batches by section of the policy file";
      counters.bind(registry, REFUSED, own, refused, counts, all -> all.refused(section));
      String found = "Batches that level KAFKA accepts, with findings, by section";
      counters.bind(registry, FOUND, own, found, counts, all -> all.found(section));
    }
  }

  /** Removes all meters from the registries that they were bound to. */
  @Override
  public void close() {
    counters.close();
  }
}
