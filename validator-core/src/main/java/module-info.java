// SPDX-License-Identifier: Apache-2.0

/**
 * Checks the record batches that producers send to an Apache Kafka broker, without allocating.
 *
 * <p>Needs only the JDK. Each codec library is optional: where one is missing, batches of that
 * codec are refused with {@link io.github.batchvalidator.rule.Reason#CODEC_UNAVAILABLE} and
 * everything else works. The versions of snappy-java have no module name in common, so that a host
 * on the module path has to say {@code --add-reads io.github.batchvalidator.core=ALL-UNNAMED} to
 * have Snappy.
 */
@SuppressWarnings({
  "requires-automatic", // lz4-java ships no module descriptor
  "module" // the modules of this project that the engine is exported to are built later
})
module io.github.batchvalidator.core {
  requires static com.github.luben.zstd_jni;
  requires static transitive org.jspecify;
  requires static jdk.jfr;
  requires static org.lz4.java;

  exports io.github.batchvalidator;
  exports io.github.batchvalidator.rule;
  exports io.github.batchvalidator.watch;

  // For the modules of this project only. These packages change without notice.
  exports io.github.batchvalidator.engine to
      io.github.batchvalidator.audit,
      io.github.batchvalidator.dropin;
  exports io.github.batchvalidator.format to
      io.github.batchvalidator.audit,
      io.github.batchvalidator.bench,
      io.github.batchvalidator.dropin,
      io.github.batchvalidator.spark;
  exports io.github.batchvalidator.verdict to
      io.github.batchvalidator.bench,
      io.github.batchvalidator.dropin;
}
