// SPDX-License-Identifier: Apache-2.0

/** Tests of the parts of a repair. */
package io.github.batchvalidator.audit.repair;
