// SPDX-License-Identifier: Apache-2.0

/** Policy files: the rules of topics in one properties file, and counts by their sections. */
@NullMarked
package io.github.batchvalidator.policy;

import org.jspecify.annotations.NullMarked;
