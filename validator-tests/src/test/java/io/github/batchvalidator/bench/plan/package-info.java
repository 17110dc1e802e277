// SPDX-License-Identifier: Apache-2.0

/** Tests of the order in which is measured. */
package io.github.batchvalidator.bench.plan;
