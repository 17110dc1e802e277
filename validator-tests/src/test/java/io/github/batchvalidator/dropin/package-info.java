// SPDX-License-Identifier: Apache-2.0

/** The drop-in jars, beside the Kafka lines that they are made for. */
package io.github.batchvalidator.dropin;
