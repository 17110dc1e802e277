// SPDX-License-Identifier: Apache-2.0

/** The decoder for LZ4 frames. */
@NullMarked
package io.github.batchvalidator.internal.codec.lz4;

import org.jspecify.annotations.NullMarked;
