// SPDX-License-Identifier: Apache-2.0

/** The value that carries a fault from the place that found it to the verdict. */
@NullMarked
package io.github.batchvalidator.internal.fault;

import org.jspecify.annotations.NullMarked;
