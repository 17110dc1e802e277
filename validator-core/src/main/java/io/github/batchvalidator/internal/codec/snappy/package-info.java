// SPDX-License-Identifier: Apache-2.0

/** Snappy blocks in the framing of the xerial library. */
@NullMarked
package io.github.batchvalidator.internal.codec.snappy;

import org.jspecify.annotations.NullMarked;
