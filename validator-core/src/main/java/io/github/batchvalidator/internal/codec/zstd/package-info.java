// SPDX-License-Identifier: Apache-2.0

/** Zstandard frames and the contexts of the zstd library. */
@NullMarked
package io.github.batchvalidator.internal.codec.zstd;

import org.jspecify.annotations.NullMarked;
