// SPDX-License-Identifier: Apache-2.0

/** The agent, and the code of Kafka that it changes. */
package io.github.batchvalidator.agent;
