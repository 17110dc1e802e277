// SPDX-License-Identifier: Apache-2.0

/** The same bytes to Kafka 4.3.1 and to this library: the answers have to be the same. */
@NullMarked
package io.github.batchvalidator.differential;

import org.jspecify.annotations.NullMarked;
