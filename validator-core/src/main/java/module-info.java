// SPDX-License-Identifier: Apache-2.0

/**
 * Checks the record batches that producers send to an Apache Kafka broker, without allocating.
 *
 * <p>Needs only the JDK. Each codec library is optional: where one is missing, batches of that
 * codec are refused with {@link io.github.batchvalidator.rule.Reason#CODEC_UNAVAILABLE} and
 * everything else works. On the module path, zstd and LZ4 need {@code --add-modules
 * com.github.luben.zstd_jni,org.lz4.java}. The versions of snappy-java have no module name in
 * common: it belongs on the class path, with {@code --add-reads
 * io.github.batchvalidator.core=ALL-UNNAMED}.
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
