// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** A mistake in the start of a broker that a document describes. */
enum StartUpError {
  JAR_NOT_FOUND(
      "rollout.md",
      "no such line",
      "does not exist or cannot be read",
      installed -> installed.with("CLASSPATH", installed.file("none.jar").toString())),
  OLD_JAVA(
      "rollout.md",
      "`UnsupportedClassVersionError`",
      "11.0.20, of JAVA_HOME: the jar needs Java 17",
      installed -> installed.java("11.0.20", "exit 0\n")),
  OTHER_CALLS(
      "rollout.md",
      "`NoSuchMethodError`",
      "LogValidator <init>(Ljava/lang/Object;)V",
      installed -> installed.lib(installed.jarThatCalls())),
  OTHER_LINE(
      "rollout.md",
      "an error that names two Kafka lines",
      "no jar of this version of Batch Validator is made for it",
      installed ->
          installed.changed(
              "kafka-clients",
              root ->
                  Files.writeString(
                      root.resolve("kafka/kafka-version.properties"), "version=4.9.0\n"))),
  WRONG_SETTING(
      "rollout.md",
      "\"refuses its settings\"",
      "batchvalidator.level is lenient, legal is kafka or strict",
      installed -> installed.with("KAFKA_OPTS", "-Dbatchvalidator.level=lenient")),
  NO_SHADOW(
      "rollout.md",
      "\"cannot run in shadow mode\"",
      "cannot run in shadow mode and ANSWERS ITSELF",
      installed ->
          installed
              .changed("kafka-storage", Installation::removeValidator)
              .with("KAFKA_OPTS", "-Dbatchvalidator.shadow=true")),
  SILENT(
      "rollout.md",
      "**A missing drop-in jar is silent.**",
      "the broker takes LogValidator from",
      installed -> installed.with("CLASSPATH", installed.home().toString())),
  NO_AGENT(
      "agent.md",
      "The broker does not start if the agent's file is missing or unreadable.",
      "the broker does not start, because this file is no readable agent",
      installed -> installed.with("KAFKA_OPTS", "-javaagent:" + installed.file("none.jar"))),
  SPACE(
      "agent.md",
      "The path must not contain a space.",
      "Kafka's script splits options at spaces",
      installed -> installed.with("KAFKA_OPTS", "-javaagent:/opt/batch validator/agent.jar")),
  REFUSED_CACHE(
      "rollout.md",
      "`-XX:AOTMode=on` turns the mismatch into an error",
      "the broker does not start, because the cache is refused",
      installed ->
          installed
              .java("25", "case \"$*\" in *AOTMode=on*) echo an error; exit 1; esac\n")
              .with("KAFKA_OPTS", "-XX:AOTCache=broker.aot -XX:AOTMode=on")),
  SLOW_CACHE(
      "rollout.md",
      "starts slowly with an AOT cache of another class path",
      "the broker starts slowly, because the cache is refused",
      installed ->
          installed
              .java("25", "case \"$*\" in *AOTMode=on*) echo an error; exit 1; esac\n")
              .with("KAFKA_OPTS", "-XX:AOTCache=broker.aot")),
  COPY_IN_LIBS(
      "rollout.md",
      "Do not copy the jar to `libs/`",
      "a jar in libs stays in use",
      installed -> installed.lib(installed.jar())),
  NO_AGENT_FILE(
      "agent.md",
      "The broker does not start if the agent's file is missing or unreadable.",
      "this file is no readable agent",
      installed ->
          installed
              .write("agent.jar", "not a jar")
              .with("KAFKA_OPTS", "-javaagent:" + installed.file("agent.jar"))),
  SPACE_OF_AGENT(
      "agent.md",
      "The path must not contain a space.",
      "Java takes the word validator/agent.jar for a class",
      installed -> installed.with("KAFKA_OPTS", "-javaagent:/opt/batch validator/agent.jar")),
  OTHER_LOG(
      "agent.md",
      "if it does not know the code of `UnifiedLog`",
      "expected one method append of records and an origin",
      installed ->
          installed.lib(installed.jarOfAnotherLog()).with("KAFKA_OPTS", Lines.jars().agent())),
  AGENT_ALONE(
      "agent.md",
      "It also needs the drop-in jar on the class path.",
      "no drop-in jar of the agent's version is on the class path",
      installed ->
          installed
              .with("CLASSPATH", installed.home().toString())
              .with("KAFKA_OPTS", Lines.jars().agent())),
  INVALID_POLICY(
      "policies.md",
      "starts with an invalid file",
      "the broker would refuse the file and use its broker-wide settings",
      installed ->
          installed
              .write("policy.properties", "topics.orders.level=lenient\n")
              .given("--policy", installed.file("policy.properties").toString())),
  UNKNOWN_SETTING(
      "settings.md",
      "does not start with an unknown name or a wrong value",
      "the broker would not start: Unknown setting batchvalidator.levle",
      installed -> installed.with("KAFKA_OPTS", "-Xmx1g -Dbatchvalidator.levle=strict")),
  UTF_16(
      "settings.md",
      "A file with the byte order mark of UTF-16 is rejected",
      "is UTF-16, save the file as UTF-8",
      installed ->
          installed
              .write("a.properties", "\uFEFFx=1\n".getBytes(StandardCharsets.UTF_16LE))
              .with("KAFKA_OPTS", "-Dbatchvalidator.config=" + installed.file("a.properties"))),
  OBSERVED_STRICT(
      "settings.md",
      "Only with level `kafka`",
      "batchvalidator.observe is for batchvalidator.level=kafka",
      installed ->
          installed.with(
              "KAFKA_OPTS", "-Dbatchvalidator.level=strict -Dbatchvalidator.observe=true"));

  private final String page;
  private final String words;
  private final String expected;

  @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
  private final Mistake mistake;

  StartUpError(String page, String words, String expected, Mistake mistake) {
    this.page = page;
    this.words = words;
    this.expected = expected;
    this.mistake = mistake;
  }

  /** A change that breaks an installation. */
  private interface Mistake {
    void make(Installation installed) throws IOException;
  }

  /** Returns the page that describes the error. */
  String page() {
    return page;
  }

  /** Returns what the page says of it. */
  String words() {
    return words;
  }

  /** Returns what the preflight says of it. */
  String expected() {
    return expected;
  }

  void make(Installation installed) throws IOException {
    mistake.make(installed);
  }
}
