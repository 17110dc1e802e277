// SPDX-License-Identifier: Apache-2.0

/** Tests of the parts of a scrub. */
package io.github.batchvalidator.audit.scrub;
