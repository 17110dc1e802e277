// SPDX-License-Identifier: Apache-2.0

/**
 * What the drop-in jars of all Kafka lines share: the flow of {@code LogValidator}, the table from
 * reasons to Kafka's exceptions, the pool of workers, settings, and the check of the line.
 *
 * <p>Uses only Kafka types that are the same in all lines; what moved between them is left to the
 * module of each line.
 */
@NullMarked
package io.github.batchvalidator.dropin;

import org.jspecify.annotations.NullMarked;
