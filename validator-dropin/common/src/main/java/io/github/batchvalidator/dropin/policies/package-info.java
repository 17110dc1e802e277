// SPDX-License-Identifier: Apache-2.0

/**
 * The policy of an append: by topic, by the settings of the append, and by what the topic stores.
 */
@NullMarked
package io.github.batchvalidator.dropin.policies;

import org.jspecify.annotations.NullMarked;
