// SPDX-License-Identifier: Apache-2.0

/**
 * The same append to the stock {@code LogValidator} of each Kafka line and to ours, in separate
 * class loaders. The answers must be equal.
 */
@NullMarked
package io.github.batchvalidator.lines;

import org.jspecify.annotations.NullMarked;
