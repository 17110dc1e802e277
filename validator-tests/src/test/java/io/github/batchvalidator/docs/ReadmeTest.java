// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path README = ROOT.resolve("README.md");
  private static final int MOST_LINES = 150;

  @TempDir private Path classes;

  @Test
  void sampleCompilesAndStampsAnAcceptedBatch() throws Exception {
    compile(
        firstBlock("java")
            + """

            record PartitionLog(long endOffset, int leaderEpoch) {}

            public class Sample {
              public static long append(ByteBuffer batch, long end, int epoch, long nowMs) {
                Policy topic = Policy.builder(Origin.CLIENT).build();
                try (Appends appends = new Appends()) {
                  return appends.append(batch, topic, new PartitionLog(end, epoch), nowMs);
                }
              }
            }
            """);
    ByteBuffer batch = Batches.of(Codec.LZ4, new SimpleRecord("one".getBytes(UTF_8)), record());
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Method append =
          loader
              .loadClass("Sample")
              .getMethod("append", ByteBuffer.class, long.class, int.class, long.class);
      assertEquals(102L, append.invoke(null, batch, 100L, 7, Batches.nowMs()));
    }
    assertEquals(100L, batch.getLong(0));
  }

  @Test
  void staysShort() throws Exception {
    assertTrue(Files.readAllLines(README).size() <= MOST_LINES);
  }

  @Test
  void linksLeadSomewhere() throws Exception {
    List<Path> documents = new ArrayList<>(List.of(README, ROOT.resolve("CONTRIBUTING.md")));
    documents.add(ROOT.resolve("SECURITY.md"));
    documents.add(ROOT.resolve("CHANGELOG.md"));
    try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
      all.filter(each -> each.toString().endsWith(".md")).forEach(documents::add);
    }
    int links = 0;
    for (Path document : documents) {
      Matcher link =
          Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)").matcher(Files.readString(document));
      while (link.find()) {
        assertTrue(
            Files.exists(document.resolveSibling(link.group(1))),
            document + " to " + link.group(1));
        links++;
      }
    }
    assertTrue(links > 100, "links: " + links);
  }

  private static SimpleRecord record() {
    return new SimpleRecord(Batches.nowMs(), "key".getBytes(UTF_8), "two".getBytes(UTF_8));
  }

  private static String firstBlock(String language) throws Exception {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(README));
    assertTrue(block.find(), "the README has a sample");
    return block.group(1);
  }

  private void compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
    List<JavaFileObject> sources = List.of(new Source(source));
    assertTrue(
        compiler.getTask(messages, null, null, options, null, sources).call(),
        () -> messages.toString());
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Sample.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
