// SPDX-License-Identifier: Apache-2.0

/** Tests of the plan of work. */
package io.github.batchvalidator.spark.inventory;
