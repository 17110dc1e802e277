// SPDX-License-Identifier: Apache-2.0

/**
 * The entry points of the drop-in, shared by the jars of all Kafka lines: {@link
 * io.github.batchvalidator.dropin.DropIn} connects the parts, which are packages below this one.
 *
 * <p>All code here uses only Kafka types that are the same in all lines. The module of each line
 * supplies the types that moved.
 */
@NullMarked
package io.github.batchvalidator.dropin;

import org.jspecify.annotations.NullMarked;
