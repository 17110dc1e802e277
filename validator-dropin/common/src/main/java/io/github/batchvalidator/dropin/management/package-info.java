// SPDX-License-Identifier: Apache-2.0

/** The counts of the drop-in for operators: over JMX and in the broker's log. */
@NullMarked
package io.github.batchvalidator.dropin.management;

import org.jspecify.annotations.NullMarked;
