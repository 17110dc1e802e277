// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

/** The broker is not as the agent knows it. The message is for the operator. */
final class UnexpectedCodeException extends Exception {
  private static final long serialVersionUID = 1;

  UnexpectedCodeException(String message) {
    super(message);
  }
}
