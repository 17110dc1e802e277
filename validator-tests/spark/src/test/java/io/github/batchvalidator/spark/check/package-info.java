// SPDX-License-Identifier: Apache-2.0

/** Tests of the check of segments. */
package io.github.batchvalidator.spark.check;
