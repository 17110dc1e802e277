// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How often what happened, over all threads; takes the same memory always. */
final class SoakCounts {
  private final AtomicLong accepted = new AtomicLong();
  private final Map<Reason, AtomicLong> refused = new EnumMap<>(Reason.class);
  private final Map<Codec, AtomicLong> codecs = new EnumMap<>(Codec.class);
  private final AtomicLong rebuilt = new AtomicLong();
  private final AtomicLong notRebuilt = new AtomicLong();
  private final AtomicLong appended = new AtomicLong();
  private final AtomicLong notAppended = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();

  SoakCounts() {
    for (Reason reason : Reason.values()) {
      refused.put(reason, new AtomicLong());
    }
    for (Codec codec : Codec.values()) {
      codecs.put(codec, new AtomicLong());
    }
  }

  void inspected(Verdict verdict) {
    Reason reason = verdict.reason();
    if (reason == null) {
      accepted.incrementAndGet();
    } else {
      Objects.requireNonNull(refused.get(reason)).incrementAndGet();
    }
    @Nullable Codec codec = verdict.codec();
    if (codec != null) {
      Objects.requireNonNull(codecs.get(codec)).incrementAndGet();
    }
  }

  void rebuilt(boolean done) {
    (done ? rebuilt : notRebuilt).incrementAndGet();
  }

  void appended(boolean done) {
    (done ? appended : notAppended).incrementAndGet();
  }

  void closed() {
    closed.incrementAndGet();
  }

  /** Returns how many calls there were. */
  long calls() {
    return accepted.get()
        + sum(refused)
        + rebuilt.get()
        + notRebuilt.get()
        + appended.get()
        + notAppended.get();
  }

  private static long sum(Map<?, AtomicLong> counts) {
    return counts.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** Returns all of them in sentences. */
  String toText() {
    StringBuilder text = new StringBuilder();
    text.append("Inspected: %,d accepted, %,d refused".formatted(accepted.get(), sum(refused)));
    codecs.forEach((codec, count) -> text.append(", %,d %s".formatted(count.get(), codec)));
    text.append(
        ". Rebuilt: %,d, refused %,d. Through the drop-in: %,d, refused %,d. %,d validators closed."
            .formatted(
                rebuilt.get(), notRebuilt.get(), appended.get(), notAppended.get(), closed.get()));
    text.append("\n\n| reason | refused |\n|---|--:|\n");
    refused.forEach(
        (reason, count) -> {
          if (count.get() > 0) {
            text.append("| `%s` | %,d |\n".formatted(reason, count.get()));
          }
        });
    return text.toString();
  }
}
