// SPDX-License-Identifier: Apache-2.0

/** The writable verdict and findings. Hosts use {@code rule.Verdict} and {@code rule.Findings}. */
@NullMarked
package io.github.batchvalidator.verdict;

import org.jspecify.annotations.NullMarked;
