// SPDX-License-Identifier: Apache-2.0

/** Comparisons of audits on Spark with {@code ./check} on the same files. */
package io.github.batchvalidator.audit;
