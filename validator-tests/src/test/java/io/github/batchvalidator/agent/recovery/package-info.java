// SPDX-License-Identifier: Apache-2.0

/** Crashed partitions, recovered by stock Kafka and with the agent. */
package io.github.batchvalidator.agent.recovery;
