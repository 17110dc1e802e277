// SPDX-License-Identifier: Apache-2.0

/** What several tests share: batches made by Kafka's own writers, and batches made by hand. */
package io.github.batchvalidator.testing;
