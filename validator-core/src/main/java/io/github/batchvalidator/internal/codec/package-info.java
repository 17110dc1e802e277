// SPDX-License-Identifier: Apache-2.0

/**
 * From stored bytes to plain ones: a window that the scan reads, and one decoder per codec that
 * refills it.
 *
 * <p>Every exception and {@code Error} of a codec library ends here and becomes a {@code Reason}.
 */
package io.github.batchvalidator.internal.codec;
