// SPDX-License-Identifier: Apache-2.0

/**
 * Decompression: a window that the scan reads, and one decoder per codec that refills it.
 *
 * <p>Every exception and {@code Error} of a codec library is caught here and becomes a {@code
 * Reason}.
 */
package io.github.batchvalidator.internal.codec;
