// SPDX-License-Identifier: Apache-2.0

/** Live brokers that start after {@code kill -9}, stock and with the agent. */
package io.github.batchvalidator.agent.live;
