// SPDX-License-Identifier: Apache-2.0

/**
 * The preflight: examines an installation of Kafka before the broker is started with the jar.
 *
 * <p>{@code Main} uses no Kafka type. It loads {@code Preflight} with the broker's class path, so
 * that all checks run against the classes that the broker will load.
 */
@NullMarked
package io.github.batchvalidator.dropin.preflight;

import org.jspecify.annotations.NullMarked;
