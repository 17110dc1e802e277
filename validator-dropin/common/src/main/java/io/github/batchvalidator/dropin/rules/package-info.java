// SPDX-License-Identifier: Apache-2.0

/** The policy file of a broker: loading, reloading, and its state for people. */
@NullMarked
package io.github.batchvalidator.dropin.rules;

import org.jspecify.annotations.NullMarked;
