// SPDX-License-Identifier: Apache-2.0

/** Who does the work that is timed. What each of them computes is asserted in a test. */
package io.github.batchvalidator.bench.body;
