// SPDX-License-Identifier: Apache-2.0

/** Profiles of the records of topics. */
package io.github.batchvalidator.audit.profile;
