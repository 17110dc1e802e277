// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.append;

import io.github.batchvalidator.dropin.refusal.Metric;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.testing.Batches;
import java.nio.ByteBuffer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.Time;

/** An append of a buffer, without the types of any Kafka line. */
final class TestAppend extends AppendValidation<Boolean> {
  private final ByteBuffer batch;
  private final Codec target;
  private long offset = 7;

  TestAppend(ByteBuffer batch, Policy policy, Codec source, Codec target) {
    super(new TopicPartition("orders", 3), Time.SYSTEM, policy, source.id(), target.id(), 5);
    this.batch = batch;
    this.target = target;
  }

  @Override
  protected ByteBuffer buffer() {
    return batch;
  }

  @Override
  protected Compression targetCompression() {
    return Batches.compression(target);
  }

  @Override
  protected boolean clusterReadsTarget() {
    return true;
  }

  @Override
  protected long nextOffset() {
    return offset;
  }

  @Override
  protected void nextOffset(long next) {
    offset = next;
  }

  @Override
  public void mark(Metric metric) {
    throw new AssertionError(metric);
  }

  @Override
  protected Boolean result(AppendOutcome outcome) {
    return outcome.rebuilt() != null;
  }
}
