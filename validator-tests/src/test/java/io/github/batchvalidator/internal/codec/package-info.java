// SPDX-License-Identifier: Apache-2.0

/**
 * The decoders, each against Kafka's stream over the same bytes and against a codec that shares no
 * code with either. In the package of the classes, because the border of a window, a block or a
 * library's buffer decides what a decoder does, and batches seldom reach one.
 */
package io.github.batchvalidator.internal.codec;
