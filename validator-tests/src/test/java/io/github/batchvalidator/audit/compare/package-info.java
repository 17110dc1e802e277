// SPDX-License-Identifier: Apache-2.0

/** Tests of the parts of a comparison. */
package io.github.batchvalidator.audit.compare;
