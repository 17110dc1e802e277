// SPDX-License-Identifier: Apache-2.0

/** Tests of the guard that checks segments before Kafka compacts them. */
package io.github.batchvalidator.agent.compaction;
