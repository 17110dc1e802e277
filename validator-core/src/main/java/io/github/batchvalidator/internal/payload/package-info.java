// SPDX-License-Identifier: Apache-2.0

/** The reader that opens the payload of a batch with the decoder of its codec. */
@NullMarked
package io.github.batchvalidator.internal.payload;

import org.jspecify.annotations.NullMarked;
