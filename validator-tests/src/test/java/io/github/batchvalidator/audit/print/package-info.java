// SPDX-License-Identifier: Apache-2.0

/** Tests of the reports' parts. */
package io.github.batchvalidator.audit.print;
