// SPDX-License-Identifier: Apache-2.0

/** The contenders that do the timed work. A test asserts what each of them computes. */
package io.github.batchvalidator.bench.body;
