// SPDX-License-Identifier: Apache-2.0

/** Tests of the agent's room for stored batches. */
package io.github.batchvalidator.agent.stored;
