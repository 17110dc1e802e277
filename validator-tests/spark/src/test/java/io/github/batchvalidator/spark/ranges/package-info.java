// SPDX-License-Identifier: Apache-2.0

/** Tests of the check of ranges. */
package io.github.batchvalidator.spark.ranges;
