// SPDX-License-Identifier: Apache-2.0

/** The wire layout of record batches: field offsets, number encodings and checksums. */
package io.github.batchvalidator.format;
