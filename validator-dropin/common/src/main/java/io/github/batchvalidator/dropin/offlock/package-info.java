// SPDX-License-Identifier: Apache-2.0

/** The inspection of a batch before its append takes the partition lock. */
@NullMarked
package io.github.batchvalidator.dropin.offlock;

import org.jspecify.annotations.NullMarked;
