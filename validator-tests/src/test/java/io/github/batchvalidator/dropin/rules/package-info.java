// SPDX-License-Identifier: Apache-2.0

/** Tests of a broker's policy file. */
@NullMarked
package io.github.batchvalidator.dropin.rules;

import org.jspecify.annotations.NullMarked;
