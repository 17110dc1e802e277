// SPDX-License-Identifier: Apache-2.0

/** The settings of the drop-in, from system properties and a properties file. */
@NullMarked
package io.github.batchvalidator.dropin.settings;

import org.jspecify.annotations.NullMarked;
