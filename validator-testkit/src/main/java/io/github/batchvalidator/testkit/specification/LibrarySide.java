// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.OffsetStamp;
import io.github.batchvalidator.internal.codec.snappy.WalkGates;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A host of the library, which does what the README shows: inspects, rebuilds if the verdict says
 * so, and stamps. Confined to one thread.
 */
final class LibrarySide implements AutoCloseable {
  private final BatchValidator usual = new BatchValidator();
  private final BatchValidator small = BatchValidator.lowMemory();
  private final BatchRebuilder rebuilder = new BatchRebuilder();
  private final OffsetStamp stamp = new OffsetStamp();
  private final Verdict verdict = BatchValidator.newVerdict(2000);
  private final Verdict ofRebuild = BatchValidator.newVerdict(2000);
  private @Nullable PolicyFile file;
  private PolicySection byDefault = PolicySection.KAFKA;

  /**
   * The final result for the host.
   *
   * @param reason why the batch was refused, or null
   * @param isRebuild true if the rebuild refused or wrote the batch
   * @param ofRebuild why a rebuild rejects a batch that the inspection rejects as well, or null
   * @param failures the reasons of failing records, by index
   * @param found the findings, with the numbers of records
   * @param section the label of the verdict
   * @param stored the bytes to store, or null
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Result(
      @Nullable Reason reason,
      boolean isRebuild,
      @Nullable Reason ofRebuild,
      Map<Integer, Reason> failures,
      Map<Reason, Long> found,
      String section,
      byte @Nullable [] stored) {}

  void policy(Path path, Map<String, String> brokerWide) {
    try {
      byDefault =
          (PolicySection)
              PolicySections.brokerWide(
                  Objects.requireNonNull(LibrarySide.class.getClassLoader()), brokerWide);
      file = PolicyFile.load(path, byDefault);
    } catch (ReflectiveOperationException | PolicyFileException e) {
      throw new IllegalStateException(path + ": " + e.getMessage(), e);
    }
  }

  PolicyFile file() {
    return Objects.requireNonNull(file);
  }

  PolicySection byDefault() {
    return byDefault;
  }

  void gate(String mode) {
    switch (mode) {
      case "OPEN" -> WalkGates.open();
      case "SHUT" -> WalkGates.shut();
      default -> WalkGates.putBack();
    }
  }

  private Policy policy(Settings settings, String topic, int mostRecordBytes) {
    Codec codec = settings.target();
    Target target = new Target(codec, codec.defaultLevel(), settings.toMagic(), settings.type());
    Policy policy =
        Policy.builder(Origin.valueOf(settings.origin()))
            .target(target)
            .timestampWindowMs(settings.beforeMs(), settings.afterMs())
            .compactedTopic(settings.compacted())
            .checkedByHost(true)
            .build();
    Policy ruled = Objects.requireNonNull(file).sectionOf(topic).applyTo(policy);
    return ruled.limits().recordBytes() <= mostRecordBytes
        ? ruled
        : ruled.toBuilder()
            .limits(ruled.limits().with(Limit.RECORD_BYTES, mostRecordBytes))
            .build();
  }

  /**
   * Appends a batch.
   *
   * @param mostRecordBytes the limit of the broker, beside that of the section
   */
  Result append(Append append, String topic, boolean isSmall, int mostRecordBytes) {
    Settings settings = append.settings();
    Policy policy = policy(settings, topic, mostRecordBytes);
    ByteBuffer buffer = append.placement().holding(append.bytes(), (byte) 0x5A);
    BatchValidator validator = isSmall ? small : usual;
    boolean isAccepted = validator.inspect(buffer, policy, settings.nowMs(), verdict);
    Map<Reason, Long> found = found(verdict.findings());
    if (!isAccepted) {
      boolean isRebuild = verdict.needsRebuild() || verdict.magic() != settings.toMagic();
      Reason other = isRebuild ? reasonOfRebuild(buffer, policy, settings) : null;
      return refused(verdict, false, other, found);
    }
    if (!verdict.needsRebuild()) {
      ByteBuffer batch = buffer.slice(buffer.position(), verdict.batchBytes()); // what was read
      stamp(batch, verdict, settings);
      return new Result(null, false, null, Map.of(), found, verdict.section(), bytes(batch));
    }
    rebuilder.firstOffset(settings.firstOffset());
    if (!rebuilder.rebuild(buffer, policy, settings.nowMs(), ofRebuild)) {
      return refused(ofRebuild, true, null, found);
    }
    ByteBuffer batch = rebuilder.batch();
    stamp(batch, ofRebuild, settings);
    return new Result(null, true, null, Map.of(), found, ofRebuild.section(), bytes(batch));
  }

  private void stamp(ByteBuffer batch, Verdict of, Settings settings) {
    stamp.firstOffset(settings.firstOffset()).leaderEpoch(settings.leaderEpoch());
    stamp.nowMs(settings.nowMs()).assign(batch, of);
  }

  /** "BatchRebuilder.rebuild of the same batch reports Kafka's." */
  private @Nullable Reason reasonOfRebuild(ByteBuffer buffer, Policy policy, Settings settings) {
    rebuilder
        .firstOffset(settings.firstOffset())
        .rebuild(buffer, policy, settings.nowMs(), ofRebuild);
    return ofRebuild.reason();
  }

  private static Result refused(
      Verdict of, boolean isRebuild, @Nullable Reason other, Map<Reason, Long> found) {
    Map<Integer, Reason> failures = new LinkedHashMap<>();
    for (int i = 0; i < of.failureCount(); i++) {
      failures.put(of.failureIndex(i), of.failureReason(i));
    }
    return new Result(of.reason(), isRebuild, other, failures, found, of.section(), null);
  }

  private static Map<Reason, Long> found(Findings findings) {
    Map<Reason, Long> found = new EnumMap<>(Reason.class);
    for (int i = 0; i < findings.count(); i++) {
      found.put(findings.reason(i), findings.total(i));
    }
    return found;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    WalkGates.putBack(); // the gate belongs to all of the JVM
    usual.close();
    small.close();
    rebuilder.close();
  }
}
