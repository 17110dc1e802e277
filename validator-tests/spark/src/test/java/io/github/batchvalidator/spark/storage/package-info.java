// SPDX-License-Identifier: Apache-2.0

/** Tests of file systems. */
package io.github.batchvalidator.spark.storage;
