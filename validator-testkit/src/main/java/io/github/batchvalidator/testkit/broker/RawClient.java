// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** Sends any bytes as the records of a request, on a separate socket. */
public final class RawClient implements AutoCloseable {
  /** The newest that names topics and that all lines speak. */
  private static final short VERSION = 11;

  /**
   * Correlation id, no tags, one topic, the length of its name, the name, the number of partitions,
   * the index of the first.
   */
  private static final int BYTES_BEFORE_ERROR = Integer.BYTES + 1 + 1 + 1 + 1 + Integer.BYTES;

  /**
   * The size of the answer for a partition without an error: index, error code, three times and
   * offsets, no errors of records, no message, no tags.
   */
  private static final int BYTES_OF_PARTITION = Integer.BYTES + Short.BYTES + 3 * Long.BYTES + 3;

  /** The most partitions whose number is one byte of an answer. */
  public static final int MOST_PARTITIONS = 100;

  private static final int TIMEOUT_MS = 120_000;
  private static final short ALL_REPLICAS = -1;
  private static final long LEADER_SECONDS = 30;

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;
  private int correlation;

  /** Connects to a broker. */
  public RawClient(BrokerProcess broker) throws IOException {
    this(broker.port());
  }

  /** Connects to a broker of this machine. */
  public RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true); // as Kafka's clients
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  /** Returns what the broker answers for the only partition of the topic. */
  public PartitionProduceResponse produce(String topic, byte[] records) throws IOException {
    ProduceRequest request = new ProduceRequest(data(topic, 0, 1, records), VERSION);
    RequestHeader header = header(correlation++);
    ByteBuffer answer = exchange(request.serializeWithHeader(header));
    ProduceResponse response = (ProduceResponse) AbstractResponse.parseResponse(answer, header);
    return response.data().responses().iterator().next().partitionResponses().get(0);
  }

  /** Returns a request as bytes, for any number of calls of {@link #errorCode}. */
  public static ByteBuffer prepare(String topic, byte[] records) {
    return prepare(topic, 0, 1, records);
  }

  /**
   * Returns a request with the same records for several partitions, for calls of {@link
   * #errorCode}.
   *
   * @param from the first partition
   * @param to the partition after the last one, at most {@value #MOST_PARTITIONS} further
   */
  public static ByteBuffer prepare(String topic, int from, int to, byte[] records) {
    ProduceRequestData data = data(topic, from, to, records);
    return new ProduceRequest(data, VERSION).serializeWithHeader(header(0));
  }

  /**
   * Sends a prepared request and returns the error code of its first partition. Parses nothing
   * else, because an answer may list half a million records.
   */
  public short errorCode(ByteBuffer prepared, String topic) throws IOException {
    return exchange(prepared).getShort(BYTES_BEFORE_ERROR + topic.length());
  }

  /** Sends a prepared request, and leaves its answer to a later call of {@link #answer}. */
  public void send(ByteBuffer prepared) throws IOException {
    out.writeInt(prepared.remaining());
    out.write(prepared.array(), prepared.arrayOffset() + prepared.position(), prepared.remaining());
    out.flush();
  }

  /**
   * Awaits the answer to the first request that has none yet.
   *
   * @param partitions of the request
   * @return the first error code that is not 0, or 0
   */
  public short answer(String topic, int partitions) throws IOException {
    ByteBuffer answer = receive();
    for (int i = 0; i < partitions; i++) {
      short code = answer.getShort(BYTES_BEFORE_ERROR + topic.length() + i * BYTES_OF_PARTITION);
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  private static RequestHeader header(int correlation) {
    return new RequestHeader(ApiKeys.PRODUCE, VERSION, "raw-client", correlation);
  }

  private ByteBuffer exchange(ByteBuffer request) throws IOException {
    send(request);
    return receive();
  }

  private ByteBuffer receive() throws IOException {
    return ByteBuffer.wrap(in.readNBytes(in.readInt()));
  }

  /**
   * Produces a valid batch until it is taken: a topic is created before the broker that leads its
   * partition has heard of it.
   */
  public void awaitLeader(String topic, byte[] batch) throws IOException, InterruptedException {
    Await.until(
        LEADER_SECONDS,
        () -> produce(topic, batch).errorCode() == 0,
        () -> "the broker answers " + produce(topic, batch));
  }

  private static ProduceRequestData data(String topic, int from, int to, byte[] records) {
    List<PartitionProduceData> partitions = new ArrayList<>();
    for (int i = from; i < to; i++) {
      partitions.add(
          new PartitionProduceData()
              .setIndex(i)
              .setRecords(MemoryRecords.readableRecords(ByteBuffer.wrap(records))));
    }
    TopicProduceDataCollection topics = new TopicProduceDataCollection();
    topics.add(new TopicProduceData().setName(topic).setPartitionData(partitions));
    return new ProduceRequestData()
        .setAcks(ALL_REPLICAS)
        .setTimeoutMs(TIMEOUT_MS)
        .setTopicData(topics);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
