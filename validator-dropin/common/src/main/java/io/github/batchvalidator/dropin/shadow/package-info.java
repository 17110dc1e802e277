// SPDX-License-Identifier: Apache-2.0

/**
 * Shadow mode: Kafka's own validator answers each append, and ours validates a copy for comparison.
 */
@NullMarked
package io.github.batchvalidator.dropin.shadow;

import org.jspecify.annotations.NullMarked;
