// SPDX-License-Identifier: Apache-2.0

/**
 * One target per entry point for a fuzzer that is guided by coverage: {@code scripts/fuzz} runs it,
 * a test replays the committed corpus. A target takes any bytes, and throws if something is wrong.
 */
package io.github.batchvalidator.fuzz;
