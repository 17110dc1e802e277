// SPDX-License-Identifier: Apache-2.0

/** How {@code ./bench broker} decides what to run, and what it makes of what it saw. */
@NullMarked
package io.github.batchvalidator.bench.broker;

import org.jspecify.annotations.NullMarked;
