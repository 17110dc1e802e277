// SPDX-License-Identifier: Apache-2.0

/**
 * The decoders, each against Kafka's stream over the same bytes and against a codec that shares no
 * code with either.
 */
package io.github.batchvalidator.internal.codec;
