// SPDX-License-Identifier: Apache-2.0

/** An inflater (RFC 1951) in plain Java. */
@NullMarked
package io.github.batchvalidator.internal.codec.inflate;

import org.jspecify.annotations.NullMarked;
