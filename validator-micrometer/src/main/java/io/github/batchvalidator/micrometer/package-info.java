// SPDX-License-Identifier: Apache-2.0

/** Micrometer meters for the counts of a validator. */
package io.github.batchvalidator.micrometer;
