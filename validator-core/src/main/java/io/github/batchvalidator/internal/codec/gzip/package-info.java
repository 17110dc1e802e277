// SPDX-License-Identifier: Apache-2.0

/** Gzip payloads: members, headers and trailers, and the inflaters for their content. */
@NullMarked
package io.github.batchvalidator.internal.codec.gzip;

import org.jspecify.annotations.NullMarked;
