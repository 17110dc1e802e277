// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.policy;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.rule.SchemaIds;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Policy files at the limits, and files beyond them. */
public enum HostilePolicy {
  /** Three sections, as a usual file has. */
  FEW_SECTIONS("3 sections") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      writeSections(2, policy);
    }
  },
  /** As many sections as a file may have, each with different rules. */
  MOST_SECTIONS("10,000 sections") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      writeSections(PolicyFile.MAX_SECTIONS - 1, policy);
    }
  },
  /** A million ids in a file. */
  MILLION_IDS("1,000,000 schema ids") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      writeIds(1_000_000, policy, folder);
    }
  },
  /** As many ids as a file may have. */
  MOST_IDS("4,000,000 schema ids") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      writeIds(SchemaIds.MAX_ENTRIES, policy, folder);
    }
  },
  /** Patterns for which each character of a topic is compared many times. */
  SLOW_PATTERNS("10,000 slow patterns") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      for (int i = 0; i < PolicyFile.MAX_SECTIONS - 1; i++) {
        policy.write("topics.s" + i + ".match=*" + "a".repeat(120) + i + "\n");
      }
    }
  },
  /** Sections, ids and patterns at once: the ids in each section. */
  EVERYTHING("10,000 sections with slow patterns and the same 1,000,000 ids") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      SLOW_PATTERNS.write(policy, folder);
      writeIds(1_000_000, policy, folder);
      for (int i = 0; i < PolicyFile.MAX_SECTIONS - 1; i++) {
        policy.write("topics.s" + i + ".value.schema.ids=file:ids.txt\n");
      }
    }
  },
  /** More sections than a file may have, in 15 MiB. */
  TOO_MANY_SECTIONS("15 MiB of sections") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      for (int i = 0; i < LARGE / 32; i++) {
        policy.write("topics.s%07d.match=t%d\n".formatted(i, i));
      }
    }
  },
  /** Nothing but mistakes. */
  MISTAKES("15 MiB of unknown keys") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      for (int i = 0; i < LARGE / 4; i++) {
        policy.write("z=1\n");
      }
    }
  },
  /** One line. */
  LONG_LINE("one line of 15 MiB") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      policy.write("default.codecs=" + "x".repeat(LARGE));
    }
  },
  /** More than a policy file may have. */
  TOO_LARGE("17 MiB of comments") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      for (int i = 0; i < (17 << 20) / 64; i++) {
        policy.write("#" + ".".repeat(62) + "\n");
      }
    }
  },
  /** More ids than a file may have, in 60 MiB. */
  TOO_MANY_IDS("60 MiB of schema ids") {
    @Override
    void write(BufferedWriter policy, Path folder) throws IOException {
      writeIds(30 << 20, policy, folder);
    }
  };

  private static final int LARGE = 15 << 20;

  private final String label;

  HostilePolicy(String label) {
    this.label = label;
  }

  abstract void write(BufferedWriter policy, Path folder) throws IOException;

  /** Returns what the file has, for people. */
  public String label() {
    return label;
  }

  /**
   * Writes the file and the files that it names.
   *
   * @param folder an empty folder
   * @return the policy file
   * @throws IOException if a file cannot be written
   */
  public Path write(Path folder) throws IOException {
    Path file = folder.resolve("policy.properties");
    try (BufferedWriter policy = Files.newBufferedWriter(file)) {
      write(policy, folder);
    }
    return file;
  }

  private static void writeSections(int count, BufferedWriter policy) throws IOException {
    for (int i = 0; i < count; i++) {
      String section = "topics.s" + i + ".";
      policy.write(section + "match=team-" + i + "-*\n");
      policy.write(section + "observe=true\n");
      policy.write(section + "codecs=lz4, zstd\n");
      policy.write(section + "headers.required=traceparent\n");
      policy.write(section + "value.schema=either\n");
      policy.write(section + "value.schema.ids=" + i + ", 100000-199999\n");
    }
  }

  /** Ids with gaps, in an order that is not sorted. */
  private static void writeIds(int count, BufferedWriter policy, Path folder) throws IOException {
    policy.write("default.value.schema=payload\ndefault.value.schema.ids=file:ids.txt\n");
    try (BufferedWriter ids = Files.newBufferedWriter(folder.resolve("ids.txt"))) {
      for (int i = 0; i < count; i++) {
        ids.write(Integer.toString(idOf(i, count)));
        ids.write('\n');
      }
    }
  }

  /** Returns one of {@code count} different even ids. */
  static int idOf(int i, int count) {
    return count > SchemaIds.MAX_ENTRIES ? 1 : 2 * (int) ((i * 7_919L) % count);
  }
}
