// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.engine;

import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** The exceptions for failures inside Batch Validator. */
public final class OwnFault {
  private static final String MESSAGE = "Batch Validator failed, which is a fault of its own";

  private OwnFault() {}

  /** {@return the exception for a failure; a lack of memory or stack rejects the batch} */
  static KafkaException of(Throwable cause) {
    return cause instanceof VirtualMachineError
        ? new InvalidRecordException("The batch takes more memory than there is: " + cause)
        : new KafkaException(MESSAGE, cause);
  }

  /**
   * Returns whether an exception stands for a failure inside Batch Validator.
   *
   * @param thrown the exception, or null
   * @return true for a failure that the batch did not cause
   */
  public static boolean is(@Nullable Throwable thrown) {
    return thrown instanceof KafkaException && MESSAGE.equals(thrown.getMessage());
  }
}
