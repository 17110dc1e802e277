// SPDX-License-Identifier: Apache-2.0

/** Audits of partitions that Kafka's own log classes and brokers have written. */
package io.github.batchvalidator.audit;
