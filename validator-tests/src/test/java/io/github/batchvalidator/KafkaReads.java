// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.internal.codec.kafka.KafkaDecoders;

/** Validators that read ahead as far as Kafka, as the drop-in's {@code KafkaOrderCheck} does. */
public final class KafkaReads {
  private KafkaReads() {}

  public static BatchValidator validator() {
    return new BatchValidator(new KafkaDecoders());
  }
}
