// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchvalidator.broker.Scenario.Producing;
import io.github.batchvalidator.testing.Python;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * librdkafka, by its Python binding: a client that shares no code with Kafka's, its encoders
 * included. The script is given all scenarios in a file and writes what came of them to another.
 */
final class Librdkafka implements Client {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final BrokerProcess broker;

  Librdkafka(BrokerProcess broker) {
    this.broker = broker;
  }

  @Override
  public Map<String, Outcome> run(List<Scenario> scenarios)
      throws IOException, InterruptedException {
    Path clients = Files.createDirectories(Python.build().resolve("other-client"));
    Path folder = Files.createTempDirectory(clients, "broker"); // several run at the same time
    Path plan = folder.resolve("plan.json");
    Path results = folder.resolve("results.json");
    JSON.writeValue(plan.toFile(), plan(scenarios));
    Python.run("librdkafka_client.py", folder, plan.toString(), results.toString());
    JsonNode all = JSON.readTree(results.toFile());
    Map<String, Outcome> outcomes = new TreeMap<>();
    for (Scenario scenario : scenarios) {
      outcomes.put(scenario.topic(), outcome(scenario.topic(), all.get(scenario.topic())));
    }
    return outcomes;
  }

  @Override
  public void close() {
    // The script has ended.
  }

  private ObjectNode plan(List<Scenario> scenarios) {
    ObjectNode plan = JSON.createObjectNode().put("address", broker.address());
    ArrayNode all = plan.putArray("scenarios");
    for (Scenario scenario : scenarios) {
      ObjectNode node = all.addObject();
      node.put("topic", scenario.topic());
      node.put("codec", scenario.codec().name().toLowerCase(Locale.ROOT));
      node.put("idempotent", scenario.producing() != Producing.PLAIN);
      node.put("transactional", scenario.producing() == Producing.TRANSACTIONAL);
      ArrayNode batches = node.putArray("batches");
      for (int i = 0; i < scenario.batches().size(); i++) {
        ObjectNode batch = batches.addObject().put("aborted", scenario.aborts(i));
        ArrayNode records = batch.putArray("records");
        scenario.batches().get(i).forEach(record -> addRecord(records.addObject(), record));
      }
    }
    return plan;
  }

  private static void addRecord(ObjectNode node, ProducerRecord<byte[], byte[]> record) {
    node.put("timestamp", record.timestamp());
    node.put("key", record.key());
    node.put("value", record.value());
    ArrayNode headers = node.putArray("headers");
    for (Header header : record.headers()) {
      headers.addArray().add(header.key()).add(header.value());
    }
  }

  private Outcome outcome(String topic, JsonNode node) throws IOException {
    List<List<Answer>> answers = new ArrayList<>();
    for (JsonNode batch : node.get("answers")) {
      List<Answer> told = new ArrayList<>();
      for (JsonNode one : batch) {
        told.add(new Answer(one.get(0).asLong(), one.get(1).asLong(), one.get(2).asText()));
      }
      answers.add(told);
    }
    return new Outcome(
        answers,
        records(topic, node.get("read")),
        records(topic, node.get("committed")),
        broker.partition(topic));
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(String topic, JsonNode nodes)
      throws IOException {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (JsonNode node : nodes) {
      RecordHeaders headers = new RecordHeaders();
      for (JsonNode header : node.get("headers")) {
        headers.add(header.get(0).asText(), bytes(header.get(1)));
      }
      records.add(
          new ConsumerRecord<>(
              topic,
              0,
              node.get("offset").asLong(),
              node.get("timestamp").asLong(),
              TimestampType.forName(node.get("type").asText()),
              ConsumerRecord.NULL_SIZE,
              ConsumerRecord.NULL_SIZE,
              bytes(node.get("key")),
              bytes(node.get("value")),
              headers,
              Optional.of(node.get("epoch").asInt())));
    }
    return records;
  }

  private static byte @Nullable [] bytes(JsonNode base64) throws IOException {
    return base64.isNull() ? null : base64.binaryValue();
  }
}
