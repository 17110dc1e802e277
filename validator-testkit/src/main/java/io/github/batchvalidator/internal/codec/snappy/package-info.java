// SPDX-License-Identifier: Apache-2.0

/** The walk over compressed Snappy blocks, with snappy-java as the oracle. */
package io.github.batchvalidator.internal.codec.snappy;
