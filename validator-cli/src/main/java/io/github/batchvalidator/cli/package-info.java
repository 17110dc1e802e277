// SPDX-License-Identifier: Apache-2.0

/**
 * The {@code check} command: its options, and its reports for people and programs. The work is done
 * by {@link io.github.batchvalidator.audit}.
 */
package io.github.batchvalidator.cli;
