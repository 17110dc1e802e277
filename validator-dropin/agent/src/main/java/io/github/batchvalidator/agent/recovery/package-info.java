// SPDX-License-Identifier: Apache-2.0

/**
 * Recovery of segments after an unclean stop, in one buffered pass.
 *
 * <p>Code of Kafka's {@code LogSegment} that the agent has changed calls {@link
 * io.github.batchvalidator.agent.recovery.RecoveryHooks}. Everything else follows from there.
 */
@NullMarked
package io.github.batchvalidator.agent.recovery;

import org.jspecify.annotations.NullMarked;
