// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import io.github.batchvalidator.hostile.HostileLoad;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** A hostile client that sends one batch over and over, as fast as each connection is answered. */
final class HostileFlood implements AutoCloseable {
  static final int CONNECTIONS = 2;
  static final String TOPIC = "hostile";

  private static final long RECONNECT_MS = 100;

  private final BrokerProcess broker;
  private final List<Connection> connections;
  private volatile boolean stopped;

  /** Sends nothing if the load is null. */
  HostileFlood(BrokerProcess broker, @Nullable HostileLoad load) {
    this.broker = broker;
    connections =
        Stream.ofNullable(load)
            .map(each -> RawClient.prepare(TOPIC, each.bytes()))
            .flatMap(request -> Stream.generate(() -> new Connection(request)).limit(CONNECTIONS))
            .toList();
    connections.forEach(Thread::start);
  }

  /** Returns how often each code was answered so far. */
  Map<Errors, Long> answers() {
    Map<Errors, Long> all = new EnumMap<>(Errors.class);
    for (Connection each : connections) {
      synchronized (each.answers) {
        each.answers.forEach((error, count) -> all.merge(error, count, Long::sum));
      }
    }
    return all;
  }

  /** Cuts the connections; the broker may still work on a batch of each. */
  @Override
  public void close() throws IOException {
    stopped = true;
    for (Connection each : connections) {
      each.cut();
    }
    try {
      for (Connection each : connections) {
        each.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Connection extends Thread {
    private final ByteBuffer request;
    private final Map<Errors, Long> answers =
        Collections.synchronizedMap(new EnumMap<>(Errors.class));
    private volatile @Nullable RawClient client;

    Connection(ByteBuffer request) {
      this.request = request;
    }

    @Override
    public void run() {
      while (!stopped) {
        try (RawClient opened = new RawClient(broker)) {
          client = opened;
          send(opened);
        } catch (IOException e) {
          pause();
        }
      }
    }

    private void send(RawClient opened) throws IOException {
      while (!stopped) {
        Errors error = Errors.forCode(opened.errorCode(request, TOPIC));
        answers.merge(error, 1L, Long::sum);
      }
    }

    /** A broker that closes a connection, or has died, is tried again. */
    private void pause() {
      try {
        TimeUnit.MILLISECONDS.sleep(RECONNECT_MS);
      } catch (InterruptedException e) {
        stopped = true;
      }
    }

    private void cut() throws IOException {
      RawClient opened = client;
      if (opened != null) {
        opened.close();
      }
    }
  }
}
