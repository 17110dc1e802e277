// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.rule.Reason;
import java.util.Map;

/** Kafka's error codes of the answers to a produce request. */
final class ErrorCodes {
  /** The code of failing codecs, and of exceptions that Kafka does not expect. */
  static final int UNKNOWN_SERVER_ERROR = -1;

  static final int INVALID_RECORD = 87;

  private static final Map<Reason.Answer, Integer> CODES =
      Map.of(
          Reason.Answer.INVALID_RECORD, INVALID_RECORD,
          Reason.Answer.CORRUPT_MESSAGE, 2,
          Reason.Answer.INVALID_TIMESTAMP, 32,
          Reason.Answer.MESSAGE_TOO_LARGE, 10,
          Reason.Answer.UNSUPPORTED_FORMAT, 43,
          Reason.Answer.DECODE_FAILURE, UNKNOWN_SERVER_ERROR,
          Reason.Answer.TRY_AGAIN, 7);

  private ErrorCodes() {}

  static int of(Reason reason) {
    return CODES.getOrDefault(reason.answer(), 0);
  }
}
