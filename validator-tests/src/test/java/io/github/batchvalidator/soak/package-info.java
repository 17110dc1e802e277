// SPDX-License-Identifier: Apache-2.0

/**
 * Hours of traffic in one JVM, whose memory and files have to stay as they are: {@code
 * scripts/soak}.
 */
package io.github.batchvalidator.soak;
