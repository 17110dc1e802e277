// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The parts of a record that a consumer gets as they were sent. Equal if all bytes are. */
record Content(@Nullable ByteBuffer key, @Nullable ByteBuffer value, List<HeaderBytes> headers) {
  /** One header of a record. */
  record HeaderBytes(String name, @Nullable ByteBuffer value) {}

  static Content of(ProducerRecord<byte[], byte[]> sent) {
    return new Content(wrap(sent.key()), wrap(sent.value()), list(sent.headers()));
  }

  static Content of(ConsumerRecord<byte[], byte[]> read) {
    return new Content(wrap(read.key()), wrap(read.value()), list(read.headers()));
  }

  private static List<HeaderBytes> list(Headers headers) {
    List<HeaderBytes> list = new ArrayList<>();
    for (Header header : headers) {
      list.add(new HeaderBytes(header.key(), wrap(header.value())));
    }
    return list;
  }

  private static @Nullable ByteBuffer wrap(byte @Nullable [] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }
}
