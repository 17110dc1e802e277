// SPDX-License-Identifier: Apache-2.0

/**
 * A scrub: the partitions of a running broker are checked one after the other, at a bounded rate,
 * until somebody stops it.
 */
package io.github.batchvalidator.audit.scrub;
