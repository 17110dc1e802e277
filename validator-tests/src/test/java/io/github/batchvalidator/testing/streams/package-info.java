// SPDX-License-Identifier: Apache-2.0

/** Compressed streams put together byte by byte, for tests of decoders and of whole batches. */
package io.github.batchvalidator.testing.streams;
