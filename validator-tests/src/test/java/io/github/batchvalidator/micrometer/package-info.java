// SPDX-License-Identifier: Apache-2.0

/** Counts as meters of Micrometer. */
package io.github.batchvalidator.micrometer;
