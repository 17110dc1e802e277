// SPDX-License-Identifier: Apache-2.0

/** Tests of what only the rules' own package sees. */
package io.github.batchvalidator.rule;
