# SPDX-License-Identifier: Apache-2.0
"""Does with a broker what scenarios say, with librdkafka's Python binding.

    librdkafka_client.py PLAN RESULTS

A batch is what lies between two flushes. Bytes are in Base64, as Jackson writes them. Of each record
the producer was told offset, timestamp and the name of an error, which is empty if there is none.
"""

import base64
import json
import sys

from confluent_kafka import (
    OFFSET_BEGINNING,
    TIMESTAMP_LOG_APPEND_TIME,
    Consumer,
    KafkaError,
    Producer,
    TopicPartition,
)

LARGEST_BYTES = 4 << 20
# Longer than it takes to hand over a batch, shorter than a transaction may last.
NEVER_MS = 30_000
PATIENCE_S = 60


def decode(text):
    return None if text is None else base64.b64decode(text)


def encode(content):
    return None if content is None else base64.b64encode(content).decode()


def producer_of(address, scenario):
    config = {
        "bootstrap.servers": address,
        "acks": "all",
        "compression.type": scenario["codec"],
        "enable.idempotence": scenario["idempotent"],
        "max.in.flight.requests.per.connection": 1,
        "linger.ms": NEVER_MS,
        "message.timeout.ms": 2 * NEVER_MS,
        "batch.size": LARGEST_BYTES,
        "message.max.bytes": LARGEST_BYTES,
    }
    if scenario["transactional"]:
        config["transactional.id"] = scenario["topic"]
    return Producer(config)


def send_as_one_batch(producer, topic, records):
    answers = [None] * len(records)

    def told(index):
        def callback(error, message):
            if error is None:
                answers[index] = [message.offset(), message.timestamp()[1], ""]
            else:
                answers[index] = [-1, -1, error.name()]

        return callback

    for i, record in enumerate(records):
        producer.produce(
            topic,
            partition=0,
            key=decode(record["key"]),
            value=decode(record["value"]),
            timestamp=record["timestamp"],
            headers=[(name, decode(value)) for name, value in record["headers"]],
            on_delivery=told(i),
        )
    if producer.flush(PATIENCE_S) > 0:
        raise TimeoutError(topic)
    return answers


def produce(address, scenario):
    producer = producer_of(address, scenario)
    if scenario["transactional"]:
        producer.init_transactions(PATIENCE_S)
    # Records of a topic that it does not know yet are handed on one by one when it does, and the first
    # of them may leave as a batch of its own.
    producer.list_topics(scenario["topic"], PATIENCE_S)
    answers = []
    for batch in scenario["batches"]:
        if scenario["transactional"]:
            producer.begin_transaction()
        answers.append(send_as_one_batch(producer, scenario["topic"], batch["records"]))
        if batch["aborted"]:
            producer.abort_transaction(PATIENCE_S)
        elif scenario["transactional"]:
            producer.commit_transaction(PATIENCE_S)
    return answers


def consumer_of(address, isolation):
    return Consumer(
        {
            "bootstrap.servers": address,
            "group.id": "none",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": isolation,
            "check.crcs": True,
        }
    )


def read(consumer, topic):
    consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    records = []
    while True:
        message = consumer.poll(PATIENCE_S)
        if message is None:
            raise TimeoutError(topic)
        if message.error() is None:
            records.append(record_of(message))
        elif message.error().code() == KafkaError._PARTITION_EOF:
            return records
        else:
            raise RuntimeError("%s: %s" % (topic, message.error()))


def record_of(message):
    kind, timestamp = message.timestamp()
    return {
        "offset": message.offset(),
        "type": "LogAppendTime" if kind == TIMESTAMP_LOG_APPEND_TIME else "CreateTime",
        "timestamp": timestamp,
        "epoch": message.leader_epoch(),
        "key": encode(message.key()),
        "value": encode(message.value()),
        "headers": [[name, encode(value)] for name, value in message.headers() or []],
    }


def main(plan_path, results_path):
    with open(plan_path) as file:
        plan = json.load(file)
    address = plan["address"]
    uncommitted = consumer_of(address, "read_uncommitted")
    committed = consumer_of(address, "read_committed")
    results = {}
    for scenario in plan["scenarios"]:
        topic = scenario["topic"]
        results[topic] = {
            "answers": produce(address, scenario),
            "read": read(uncommitted, topic),
            "committed": read(committed, topic),
        }
    with open(results_path, "w") as file:
        json.dump(results, file)


main(sys.argv[1], sys.argv[2])
