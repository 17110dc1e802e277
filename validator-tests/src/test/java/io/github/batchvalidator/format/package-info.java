// SPDX-License-Identifier: Apache-2.0

/** Tests of the checksums, each against a recomputed one. */
package io.github.batchvalidator.format;
