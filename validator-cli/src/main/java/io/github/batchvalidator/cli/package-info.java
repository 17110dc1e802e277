// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code check} command: its options, its progress line and its exit codes. The work is done by
 * {@link io.github.batchvalidator.audit}, which also has the reports.
 */
package io.github.batchvalidator.cli;
