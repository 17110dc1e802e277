// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * A proxy between clients and a broker. It can hold back the answers to produce requests, which a
 * test then delivers or loses.
 */
final class AnswerGate implements AutoCloseable {
  private static final long WAIT_SECONDS = 30;
  private static final int CORRELATION_AT = 2 * Short.BYTES;

  private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final BlockingQueue<Answer> held = new LinkedBlockingQueue<>();
  private volatile int brokerPort;
  private volatile boolean holding;

  /** Opens a port, which clients may use after {@link #connectTo}. */
  AnswerGate() throws IOException {
    start(this::accept);
  }

  /** Returns the port for clients. */
  int port() {
    return server.getLocalPort();
  }

  /** Sets the port of the broker. */
  void connectTo(int port) {
    brokerPort = port;
  }

  /** Holds back answers to produce requests, until one is lost. */
  void hold() {
    holding = true;
  }

  /** Returns the next answer that is held back, when the broker has sent it. */
  Answer awaitAnswer() throws InterruptedException {
    return Objects.requireNonNull(held.poll(WAIT_SECONDS, TimeUnit.SECONDS), "no answer");
  }

  private static void start(Link link) {
    Thread thread =
        new Thread(
            () -> {
              try {
                link.run();
              } catch (IOException e) {
                // One of both sides has closed the connection.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Connection next =
          new Connection(server.accept(), new Socket(InetAddress.getLoopbackAddress(), brokerPort));
      start(next::forwardRequests);
      start(next::forwardAnswers);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }

  /** The work of a thread until its connection ends. */
  private interface Link {
    void run() throws IOException;
  }

  /** An answer that is held back. */
  final class Answer {
    private final Connection connection;
    private final byte[] bytes;

    private Answer(Connection connection, byte[] bytes) {
      this.connection = connection;
      this.bytes = bytes;
    }

    /** Passes it on to the client. */
    void deliver() throws IOException {
      connection.answer(bytes);
    }

    /** Ends the connection instead, and holds back no further answers. */
    void lose() throws IOException {
      holding = false;
      connection.client.shutdownOutput(); // the client still reads what was delivered
    }
  }

  /** A connection of a client, and the one to the broker that belongs to it. */
  private final class Connection {
    private final Socket client;
    private final Socket broker;
    private final Set<Integer> produced = ConcurrentHashMap.newKeySet();

    Connection(Socket client, Socket broker) {
      this.client = client;
      this.broker = broker;
    }

    void forwardRequests() throws IOException {
      try (broker) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        while (true) {
          byte[] request = in.readNBytes(in.readInt());
          ByteBuffer head = ByteBuffer.wrap(request);
          if (head.getShort() == ApiKeys.PRODUCE.id) {
            produced.add(head.getInt(CORRELATION_AT));
          }
          write(broker, request);
        }
      }
    }

    void forwardAnswers() throws IOException {
      try (client) {
        DataInputStream in = new DataInputStream(broker.getInputStream());
        while (true) {
          byte[] answer = in.readNBytes(in.readInt());
          boolean toProduce = produced.remove(ByteBuffer.wrap(answer).getInt());
          if (toProduce && holding) {
            held.add(new Answer(this, answer));
          } else {
            answer(answer);
          }
        }
      }
    }

    void answer(byte[] bytes) throws IOException {
      write(client, bytes);
    }

    private static void write(Socket to, byte[] bytes) throws IOException {
      DataOutputStream out = new DataOutputStream(to.getOutputStream());
      out.write(
          ByteBuffer.allocate(Integer.BYTES + bytes.length)
              .putInt(bytes.length)
              .put(bytes)
              .array());
    }
  }
}
