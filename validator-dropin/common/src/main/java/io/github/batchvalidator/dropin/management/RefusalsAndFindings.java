// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.watch.ValidationListener;
import org.jspecify.annotations.Nullable;

/**
 * A listener that passes on refused batches and findings, so that an accepted batch costs one
 * comparison however many others listen.
 *
 * @param next the listener to notify
 */
public record RefusalsAndFindings(ValidationListener next) implements ValidationListener {
  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    if (verdict.reason() != null || verdict.findings().count() > 0) {
      next.judged(verdict, where);
    }
  }
}
