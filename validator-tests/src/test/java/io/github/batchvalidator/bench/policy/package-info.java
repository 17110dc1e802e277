// SPDX-License-Identifier: Apache-2.0

/** Tests of the files and the report of {@code scripts/policy-cost}. */
@NullMarked
package io.github.batchvalidator.bench.policy;

import org.jspecify.annotations.NullMarked;
