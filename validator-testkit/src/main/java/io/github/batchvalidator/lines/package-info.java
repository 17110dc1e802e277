// SPDX-License-Identifier: Apache-2.0

/**
 * The same append to the stock {@code LogValidator} of each Kafka line and to ours, each in a class
 * loader of its own: the answers have to be the same.
 */
@NullMarked
package io.github.batchvalidator.lines;

import org.jspecify.annotations.NullMarked;
