// SPDX-License-Identifier: Apache-2.0

/** File systems and object stores, as Hadoop reads them. */
@NullMarked
package io.github.batchvalidator.spark.storage;

import org.jspecify.annotations.NullMarked;
