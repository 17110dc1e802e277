// SPDX-License-Identifier: Apache-2.0

/** Copies of the sound batches of damaged segments. */
package io.github.batchvalidator.audit.salvage;
