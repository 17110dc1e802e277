// SPDX-License-Identifier: Apache-2.0

/**
 * The engine for the modules of this project: inspects and rebuilds the batches of an append, and
 * reads the records of stored batches. Hosts use {@link io.github.batchvalidator.BatchValidator}.
 *
 * <p>Changes without notice.
 */
@NullMarked
package io.github.batchvalidator.engine;

import org.jspecify.annotations.NullMarked;
