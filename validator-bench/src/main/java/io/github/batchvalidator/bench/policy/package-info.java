// SPDX-License-Identifier: Apache-2.0

/** What large and hostile policy files cost: {@code scripts/policy-cost}. */
@NullMarked
package io.github.batchvalidator.bench.policy;

import org.jspecify.annotations.NullMarked;
