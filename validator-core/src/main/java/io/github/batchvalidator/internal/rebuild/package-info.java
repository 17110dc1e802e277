// SPDX-License-Identifier: Apache-2.0

/**
 * From an accepted batch that cannot be stored as it is to one that can: plain bytes go through one
 * encoder per codec into an output that grows as it needs to.
 *
 * <p>Every exception and {@code Error} of a codec library ends here and becomes a {@code Reason}.
 */
package io.github.batchvalidator.internal.rebuild;
