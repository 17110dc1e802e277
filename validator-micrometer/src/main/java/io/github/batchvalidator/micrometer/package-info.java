// SPDX-License-Identifier: Apache-2.0

/** Shows the counts of a validator as meters of Micrometer. */
package io.github.batchvalidator.micrometer;
