// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.IOException;

/** A manifest cannot be parsed, or its numbers contradict each other. */
final class InvalidManifestException extends IOException {
  private static final long serialVersionUID = 1;

  InvalidManifestException(String message) {
    super(message);
  }
}
