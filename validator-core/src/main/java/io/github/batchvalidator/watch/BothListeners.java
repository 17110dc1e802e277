// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.watch;

import io.github.batchvalidator.rule.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A listener that notifies two listeners, one after the other. */
record BothListeners(ValidationListener first, ValidationListener second)
    implements ValidationListener {
  BothListeners {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
  }

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    first.judged(verdict, where);
    second.judged(verdict, where);
  }
}
