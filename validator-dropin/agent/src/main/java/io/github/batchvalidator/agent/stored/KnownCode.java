// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.VisibleClasses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The digests of Kafka's methods that a part of the agent replaces or calls, for each version that
 * the part was tested with.
 *
 * <p>A line of the table has a part, a class, the name of a method or {@code *} for all methods, a
 * digest, and the versions with that digest. A method that only some versions have has a line for
 * these versions. A test writes the table from Kafka's jars.
 */
public final class KnownCode {
  private static final String TABLE = "known-code.txt";
  private static final int DIGEST_BYTES = 16;

  private final List<Entry> entries;

  private KnownCode(List<Entry> entries) {
    this.entries = entries;
  }

  /**
   * A line of the table.
   *
   * @param part the part of the agent
   * @param owner the internal name of the class
   * @param method the name of the method, or {@code *}
   * @param digest the digest of the code
   * @param versions the versions of Kafka with that digest
   */
  record Entry(String part, String owner, String method, String digest, List<String> versions) {
    static Entry parse(String line) {
      String[] fields = line.split(" ", -1);
      return new Entry(
          fields[0], fields[1], fields[2], fields[3], List.of(fields[4].split(",", -1)));
    }
  }

  /**
   * {@return the table of this jar}
   *
   * @throws IOException if it cannot be read
   */
  public static KnownCode load() throws IOException {
    try (InputStream in = Objects.requireNonNull(KnownCode.class.getResourceAsStream(TABLE));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return new KnownCode(
          lines
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(Entry::parse)
              .toList());
    }
  }

  /**
   * Checks the code of a part.
   *
   * @param part the name of the part
   * @param classes finds the classes of the broker
   * @return the versions of Kafka with this code, in the order of the table
   * @throws UnknownCodeException if no version has all of this code
   */
  public List<String> versionsOf(String part, VisibleClasses classes) throws UnknownCodeException {
    Set<String> versions = new LinkedHashSet<>();
    List<Entry> ofPart = entries.stream().filter(each -> each.part.equals(part)).toList();
    ofPart.forEach(each -> versions.addAll(each.versions));
    Map<String, CodeText> texts = new HashMap<>();
    String unknown = part;
    for (Entry each : ofPart) {
      CodeText text = texts.computeIfAbsent(each.owner, owner -> text(classes, owner));
      if (!digest(text, each.method).equals(each.digest)) {
        each.versions.forEach(versions::remove);
        unknown = each.owner + "." + each.method;
      }
    }
    if (versions.isEmpty()) {
      throw new UnknownCodeException(unknown);
    }
    return List.copyOf(versions);
  }

  /** {@return the code of a class; empty if there is no such class} */
  private static CodeText text(VisibleClasses classes, String owner) {
    try {
      return classes.has(owner) ? CodeText.of(classes.bytes(owner)) : CodeText.NONE;
    } catch (IOException e) {
      return CodeText.NONE;
    }
  }

  /** {@return the digest of methods of a class, or an empty text if there is no such method} */
  static String digest(CodeText code, String method) {
    String text = code.of(method);
    if (text.isEmpty()) {
      return "";
    }
    try {
      byte[] full =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(full, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** {@return the lines of the table, for the test that writes it} */
  List<Entry> entries() {
    return entries;
  }
}
