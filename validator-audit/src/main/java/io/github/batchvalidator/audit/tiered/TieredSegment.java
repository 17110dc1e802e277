// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.Companion;
import io.github.batchvalidator.audit.source.Partition;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.audit.source.StorageFaultException;
import io.github.batchvalidator.audit.source.StoredFile;
import io.github.batchvalidator.audit.source.Upload;
import io.github.batchvalidator.audit.tiered.ObjectName.Layout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A segment in a tiered storage. Its log is one object, whole or in compressed chunks. */
final class TieredSegment extends Segment {
  /** The number of bytes of a plain object up to which skipping is cheaper than a request. */
  private static final long MAX_SKIP = 1 << 20;

  private final ObjectStore store;
  private final ObjectName object;
  private final Map<ObjectType, Long> sizes;
  private final TieredPartition partition;
  private final DataKeys keys;

  // The state between open and end.
  private @Nullable ForwardReads reads;
  private @Nullable Manifest manifest;
  private @Nullable ChunkIndex chunks;
  private @Nullable ChunkCipher cipher;
  private List<FileFault> faults = List.of();

  /**
   * Creates a segment.
   *
   * @param store the store
   * @param object the name of any object of the segment
   * @param sizes the objects that exist, with their sizes when they were listed
   * @param partition the partition
   * @param keys decrypt the segment if it is encrypted
   */
  TieredSegment(
      ObjectStore store,
      ObjectName object,
      Map<ObjectType, Long> sizes,
      TieredPartition partition,
      DataKeys keys) {
    super(
        store.name(object.key(ObjectType.LOG)),
        String.format(Locale.ROOT, "%020d.log", object.baseOffset()));
    this.store = store;
    this.object = object;
    this.sizes = sizes;
    this.partition = partition;
    this.keys = keys;
  }

  @Override
  public String topic() {
    return partition.topic();
  }

  @Override
  public Partition partition() {
    return partition;
  }

  private boolean hasManifest() {
    return object.layout() == Layout.AIVEN;
  }

  // ---- open

  @Override
  public void openBytes() throws IOException {
    List<FileFault> found = new ArrayList<>();
    faults = found;
    for (ObjectType type : ObjectType.values()) {
      if (type.isRequired(object.layout()) && !sizes.containsKey(type)) {
        FileFault missing = missing(type);
        if (type == ObjectType.LOG || type == ObjectType.MANIFEST) {
          throw new StorageFaultException(missing);
        }
        found.add(missing);
      }
    }
    if (hasManifest()) {
      open(readManifest(), found);
    } else {
      String key = object.key(ObjectType.LOG);
      reads = new ForwardReads(position -> store.open(key, position), MAX_SKIP);
    }
  }

  private FileFault missing(ObjectType type) {
    return fault(type, TieredReason.TIERED_OBJECT_MISSING, type.suffix());
  }

  private FileFault fault(ObjectType type, TieredReason reason, Object... operands) {
    return new FileFault(
        store.name(object.key(type)), Fault.of(reason, 0, Fault.UNKNOWN, operands));
  }

  private Manifest readManifest() throws IOException {
    try {
      return Manifest.read(stored(ObjectType.MANIFEST));
    } catch (InvalidManifestException e) {
      throw new StorageFaultException(
          fault(
              ObjectType.MANIFEST,
              TieredReason.TIERED_MANIFEST_INVALID,
              String.valueOf(e.getMessage())));
    }
  }

  private StoredObject stored(ObjectType type) throws IOException {
    String key = object.key(type);
    return new StoredObject(store, key, 0, store.size(key), null);
  }

  private void open(Manifest read, List<FileFault> found) throws IOException {
    compareNames(read, found);
    Long indexBytes = sizes.get(ObjectType.INDEXES);
    boolean hasIndexes = indexBytes != null && indexBytes == read.indexBytes();
    if (indexBytes != null && !hasIndexes) {
      found.add(sizeMismatch(ObjectType.INDEXES, indexBytes, read.indexBytes()));
    }
    manifest = hasIndexes ? read : read.withoutIndexes();
    String key = object.key(ObjectType.LOG);
    long objectBytes = store.size(key);
    if (objectBytes != read.chunks().objectBytes()) {
      throw new StorageFaultException(
          sizeMismatch(ObjectType.LOG, objectBytes, read.chunks().objectBytes()));
    }
    ChunkCipher with = cipher(read);
    cipher = with;
    if (read.compressed() || with != null) {
      ChunkIndex index = read.chunks();
      chunks = index;
      reads =
          new ForwardReads(
              position -> new ChunkStream(store, key, read, with, position), index.chunkBytes());
    } else {
      reads = new ForwardReads(position -> store.open(key, position), MAX_SKIP);
    }
  }

  /** Returns the decryption of the segment, or null if it is not encrypted. */
  private @Nullable ChunkCipher cipher(Manifest read) throws IOException {
    Manifest.Encryption encryption = read.encryption();
    if (encryption == null) {
      return null;
    }
    ChunkCipher found = keys.cipher(encryption);
    if (found == null) {
      throw new IOException(
          keys.isEmpty()
              ? "the object is encrypted; name the private key by --key"
              : "the object is encrypted, and no private key fits; its key id is "
                  + encryption.keyId());
    }
    return found;
  }

  private FileFault sizeMismatch(ObjectType type, long bytes, long stated) {
    return fault(type, TieredReason.TIERED_OBJECT_SIZE_MISMATCH, bytes, stated);
  }

  /** Compares the manifest with the names of the objects. */
  private void compareNames(Manifest read, List<FileFault> found) {
    Manifest.Metadata metadata = read.metadata();
    if (metadata == null) {
      return;
    }
    if (!object.topic().endsWith(metadata.topic())) { // a prefix of the store may precede it
      mismatch(found, "topic", metadata.topic(), object.topic());
    }
    compare(found, "topic id", metadata.topicId(), object.topicId());
    compare(found, "partition", metadata.partition(), (long) object.partition());
    compare(found, "segment id", metadata.segmentId(), object.segmentId());
    compare(found, "first offset", metadata.startOffset(), object.baseOffset());
  }

  private void compare(List<FileFault> found, String what, Object stated, Object named) {
    if (!stated.equals(named)) {
      mismatch(found, what, stated, named);
    }
  }

  private void mismatch(List<FileFault> found, String what, Object stated, Object named) {
    found.add(
        fault(ObjectType.MANIFEST, TieredReason.TIERED_MANIFEST_MISMATCH, what, stated, named));
  }

  // ---- read

  @Override
  public long currentSize() throws IOException {
    ChunkIndex index = chunks;
    return index == null ? store.size(object.key(ObjectType.LOG)) : index.logBytes();
  }

  private ForwardReads reads() throws IOException {
    ForwardReads opened = reads;
    if (opened == null) {
      throw new IOException("not open");
    }
    return opened;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    reads().read(target, position);
  }

  @Override
  public ByteBuffer map(long position, int bytes) throws IOException {
    return reads().take(position, bytes);
  }

  @Override
  public void close() throws IOException {
    ForwardReads opened = reads;
    if (opened != null) {
      opened.close();
    }
  }

  // ---- beside the log

  @Override
  public @Nullable StoredFile companion(Companion kind) {
    return switch (kind) {
      case OFFSET_INDEX -> beside(ObjectType.OFFSET_INDEX, Manifest.Index.OFFSET);
      case TIME_INDEX -> beside(ObjectType.TIME_INDEX, Manifest.Index.TIMESTAMP);
      case TXN_INDEX -> beside(ObjectType.TXN_INDEX, Manifest.Index.TRANSACTION);
    };
  }

  /** Returns an object, or the range of the object of all indexes. */
  private @Nullable StoredFile beside(ObjectType type, Manifest.Index index) {
    Manifest read = manifest;
    if (!hasManifest()) {
      Long bytes = sizes.get(type);
      return bytes == null ? null : new StoredObject(store, object.key(type), 0, bytes, null);
    }
    boolean isReadable = read != null && (read.encryption() == null || cipher != null);
    return read == null || !isReadable ? null : range(read, index, cipher);
  }

  private @Nullable StoredFile range(
      Manifest read, Manifest.Index index, @Nullable ChunkCipher with) {
    Manifest.Range range = read.indexes().get(index);
    String key = object.key(ObjectType.INDEXES);
    return range == null
        ? null
        : new StoredObject(store, key, range.position(), range.bytes(), with);
  }

  /** Returns the leader epochs of the segment. Reads the manifest if the segment is not open. */
  @Nullable StoredFile leaderEpochs() throws IOException {
    if (hasManifest() && manifest == null) {
      boolean hasAll = sizes.keySet().containsAll(List.of(ObjectType.MANIFEST, ObjectType.INDEXES));
      if (!hasAll) {
        return null;
      }
      Manifest read = Manifest.read(stored(ObjectType.MANIFEST));
      return range(read, Manifest.Index.LEADER_EPOCH, cipher(read));
    }
    return beside(ObjectType.LEADER_EPOCHS, Manifest.Index.LEADER_EPOCH);
  }

  /** Returns the topic that the manifest states, or null without a manifest that can be read. */
  @Nullable String statedTopic() {
    if (!hasManifest() || !sizes.containsKey(ObjectType.MANIFEST)) {
      return null;
    }
    try {
      Manifest.Metadata metadata = Manifest.read(stored(ObjectType.MANIFEST)).metadata();
      return metadata == null ? null : metadata.topic();
    } catch (IOException e) { // reported when the segment is opened
      return null;
    }
  }

  @Override
  public Upload upload() {
    Manifest read = manifest;
    Manifest.Metadata metadata = read == null ? null : read.metadata();
    return new Upload(
        metadata == null ? null : stated(metadata),
        beside(ObjectType.LEADER_EPOCHS, Manifest.Index.LEADER_EPOCH),
        beside(ObjectType.PRODUCER_SNAPSHOT, Manifest.Index.PRODUCER_SNAPSHOT),
        faults);
  }

  private Upload.Manifest stated(Manifest.Metadata metadata) {
    return new Upload.Manifest(
        store.name(object.key(ObjectType.MANIFEST)),
        metadata.endOffset(),
        metadata.maxTimestamp(),
        metadata.leaderEpochs());
  }

  @Override
  public void end() {
    reads = null;
    manifest = null;
    chunks = null;
    cipher = null;
    faults = List.of();
  }
}
