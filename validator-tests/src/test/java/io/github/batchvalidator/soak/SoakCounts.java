// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** How often what happened, over all threads; takes the same memory always. */
final class SoakCounts {
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLongArray refused = new AtomicLongArray(Reason.values().length);
  private final AtomicLongArray codecs = new AtomicLongArray(Codec.count());
  private final AtomicLong rebuilt = new AtomicLong();
  private final AtomicLong notRebuilt = new AtomicLong();
  private final AtomicLong appended = new AtomicLong();
  private final AtomicLong notAppended = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();

  void inspected(Verdict verdict) {
    Reason reason = verdict.reason();
    if (reason == null) {
      accepted.incrementAndGet();
    } else {
      refused.incrementAndGet(reason.ordinal());
    }
    @Nullable Codec codec = verdict.codec();
    if (codec != null) {
      codecs.incrementAndGet(codec.ordinal());
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

  private static long sum(AtomicLongArray counts) {
    long sum = 0;
    for (int i = 0; i < counts.length(); i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** Returns all of them in sentences. */
  String toText() {
    StringBuilder text = new StringBuilder();
    text.append("Inspected: %,d accepted, %,d refused".formatted(accepted.get(), sum(refused)));
    for (Codec codec : Codec.values()) {
      text.append(", %,d %s".formatted(codecs.get(codec.ordinal()), codec));
    }
    text.append(
        ". Rebuilt: %,d, refused %,d. Through the drop-in: %,d, refused %,d. %,d validators closed."
            .formatted(
                rebuilt.get(), notRebuilt.get(), appended.get(), notAppended.get(), closed.get()));
    text.append("\n\n| reason | refused |\n|---|--:|\n");
    for (Reason reason : Reason.values()) {
      if (refused.get(reason.ordinal()) > 0) {
        text.append("| `%s` | %,d |\n".formatted(reason, refused.get(reason.ordinal())));
      }
    }
    return text.toString();
  }
}
