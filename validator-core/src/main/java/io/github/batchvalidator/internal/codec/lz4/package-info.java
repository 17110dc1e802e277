// SPDX-License-Identifier: Apache-2.0

/** LZ4 frames as Kafka reads them. */
@NullMarked
package io.github.batchvalidator.internal.codec.lz4;

import org.jspecify.annotations.NullMarked;
