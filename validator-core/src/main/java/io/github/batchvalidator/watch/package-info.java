// SPDX-License-Identifier: Apache-2.0

/**
 * The monitoring of validation: a listener for verdicts, counts, and events of the JDK's flight
 * recorder.
 *
 * <p>This package reads verdicts only. Nothing here runs between entry and verdict.
 */
package io.github.batchvalidator.watch;
