// SPDX-License-Identifier: Apache-2.0

/** Inspects batches: framing, header, checksum and records, in Kafka's order. */
@NullMarked
package io.github.batchvalidator.internal.inspect;

import org.jspecify.annotations.NullMarked;
