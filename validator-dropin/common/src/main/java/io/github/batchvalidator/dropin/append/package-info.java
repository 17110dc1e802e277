// SPDX-License-Identifier: Apache-2.0

/**
 * The append path: validates and stamps the records of one append as Kafka's {@code LogValidator}
 * does.
 *
 * <p>{@link io.github.batchvalidator.dropin.append.AppendValidation} is the entry. It takes a
 * pooled context, with which the append is handled in place, compressed, or by rebuilding it. A
 * refusal becomes an exception of Kafka with Kafka's text.
 */
@NullMarked
package io.github.batchvalidator.dropin.append;

import org.jspecify.annotations.NullMarked;
