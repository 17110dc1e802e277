// SPDX-License-Identifier: Apache-2.0

/** The wire layout of record batches: where each field lies, and the checksum over them. */
package io.github.batchvalidator.internal.format;
