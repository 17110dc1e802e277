// SPDX-License-Identifier: Apache-2.0

/**
 * The rebuild of accepted batches that cannot be stored in place. Plain bytes go through one
 * encoder per codec into an output that grows as needed.
 *
 * <p>Every exception and {@code Error} of a codec library ends here and becomes a {@code Reason}.
 */
package io.github.batchvalidator.internal.rebuild;
