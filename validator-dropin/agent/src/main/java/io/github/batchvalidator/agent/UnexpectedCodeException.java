// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

/**
 * An exception for code of the broker or drop-in that the agent does not know. The message is for
 * the operator.
 */
final class UnexpectedCodeException extends Exception {
  private static final long serialVersionUID = 1;

  UnexpectedCodeException(String message) {
    super(message);
  }
}
