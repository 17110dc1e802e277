// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

/** An exception for code of the broker that differs from every tested version. */
public final class UnknownCodeException extends Exception {
  private static final long serialVersionUID = 1;

  UnknownCodeException(String method) {
    super("it does not know the code of " + method);
  }
}
