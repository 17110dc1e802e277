// SPDX-License-Identifier: Apache-2.0

/** Decoders that read ahead exactly as far as Kafka's own readers. */
@NullMarked
package io.github.batchvalidator.internal.codec.kafka;

import org.jspecify.annotations.NullMarked;
