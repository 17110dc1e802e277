// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import io.github.batchvalidator.broker.HostileBatch;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends batches which brokers must reject, and now and then a valid batch. No other
 * client writes to its topic.
 */
final class HostileWriter {
  private static final int BATCHES_PER_VALID_ONE = 5;
  private static final int PAUSE_MS = 100;
  private static final long END_MS = TimeUnit.MINUTES.toMillis(3);

  private final Cluster cluster;
  private final Random random;
  private final byte[] valid = HostileBatch.valid();
  private final List<HostileBatch> rejected = new ArrayList<>();
  private final int pauseMs;
  private final List<Long> acknowledged = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "hostile-writer");
  private int rejections;
  private volatile boolean stopped;

  HostileWriter(Plan plan, Cluster cluster) {
    this.cluster = cluster;
    random = new Random(plan.seed());
    rejected.addAll(HostileBatch.damaged(plan.line()));
    if (plan.scenario() == Scenario.HEAP) {
      rejected.addAll(HostileBatch.greedy(plan.line()));
    }
    rejected.removeIf(each -> each.kept() == Errors.NONE);
    pauseMs = plan.scenario() == Scenario.HEAP ? 1 : PAUSE_MS;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    @Nullable RawClient client = null;
    while (!stopped) {
      try {
        client = client == null ? connect() : client;
        if (client != null && !send(client)) {
          client.close();
          client = null;
        }
        Thread.sleep(random.nextInt(pauseMs));
      } catch (IOException e) {
        client = null; // the broker is down
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private @Nullable RawClient connect() throws IOException {
    Node node = cluster.nodes().get(random.nextInt(Plan.BROKERS));
    BrokerProcess broker = node.process();
    return broker == null ? null : new RawClient(broker);
  }

  /** Returns false if another broker has to be asked. */
  private boolean send(RawClient client) throws IOException {
    boolean honest = random.nextInt(BATCHES_PER_VALID_ONE) == 0;
    byte[] bytes = honest ? valid : rejected.get(random.nextInt(rejected.size())).bytes();
    PartitionProduceResponse answer = client.produce(Topics.HOSTILE, bytes);
    Errors error = Errors.forCode(answer.errorCode());
    if (error == Errors.NONE && honest) {
      acknowledged.add(answer.baseOffset());
    } else if (error == Errors.NONE) {
      faults.add("accepted at " + answer.baseOffset());
    } else {
      rejections += isRetriable(error) || honest ? 0 : 1;
    }
    return !isRetriable(error);
  }

  private static boolean isRetriable(Errors error) {
    return error.exception() instanceof RetriableException && error != Errors.CORRUPT_MESSAGE;
  }

  /** Returns a sentence for each fault. */
  List<String> faults(List<ByteBuffer> stored) {
    List<Long> found = new ArrayList<>();
    int crc = ByteBuffer.wrap(valid).getInt(BatchLayout.CRC_OFFSET);
    for (ByteBuffer each : stored) {
      long offset = each.getLong(BatchLayout.BASE_OFFSET_OFFSET);
      found.add(offset);
      if (each.getInt(BatchLayout.CRC_OFFSET) != crc) {
        faults.add("stored at " + offset + ": a batch that no broker may accept");
      }
    }
    List<Long> lost = new ArrayList<>(acknowledged);
    lost.removeAll(found);
    if (!lost.isEmpty()) {
      faults.add("lost: valid batches at " + lost);
    }
    return faults;
  }

  /** Returns how many batches were rejected. */
  int rejections() {
    return rejections;
  }

  /** Stops it, and returns when it has ended. */
  void end() throws InterruptedException {
    stopped = true;
    thread.join(END_MS);
    if (thread.isAlive()) {
      throw new IllegalStateException("the hostile writer does not end");
    }
  }
}
