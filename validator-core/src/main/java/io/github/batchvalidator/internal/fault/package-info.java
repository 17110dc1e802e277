// SPDX-License-Identifier: Apache-2.0

/** The holder that carries a fault from its detection to the verdict. */
@NullMarked
package io.github.batchvalidator.internal.fault;

import org.jspecify.annotations.NullMarked;
