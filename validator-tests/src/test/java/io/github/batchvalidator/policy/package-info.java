// SPDX-License-Identifier: Apache-2.0

/** Tests of policy files. */
@NullMarked
package io.github.batchvalidator.policy;

import org.jspecify.annotations.NullMarked;
