// SPDX-License-Identifier: Apache-2.0

/** Tests of the storage manager that audits uploads. */
package io.github.batchvalidator.tiered;
