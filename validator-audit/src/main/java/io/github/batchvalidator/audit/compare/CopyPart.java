// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.compare;

import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one copy has at the offsets of a difference.
 *
 * @param copy the index of the copy, from 0
 * @param state what it has
 * @param content the same number for copies with the same bytes; 0 without sound bytes
 * @param file the file of its first batch, or an empty text without one
 * @param position the byte in the file where that batch starts
 * @param leaderEpoch the leader epoch of that batch, or -1
 * @param checkpointEpoch the leader epoch that the copy's checkpoint has for the offset, or -1
 * @param fault the fault of a damaged copy and its file, or null
 */
public record CopyPart(
    int copy,
    State state,
    int content,
    String file,
    long position,
    int leaderEpoch,
    int checkpointEpoch,
    @Nullable FileFault fault)
    implements Serializable {
  /** The content of a copy at some offsets. */
  public enum State {
    /** A batch that passes the checks of {@code ./check}. */
    SOUND,
    /** A batch that does not pass them, or bytes that are no batch. */
    DAMAGED,
    /** Nothing. */
    MISSING,
    /** The batch, at a wrong base offset. */
    MISPLACED,
    /** It is not known: a file was deleted or could not be read. */
    UNKNOWN
  }

  /** Returns the batch of a cursor. */
  static CopyPart at(CopyCursor batch, int copy, State state, int content) {
    return new CopyPart(
        copy, state, content, batch.name(), batch.position(), batch.leaderEpoch(), -1, null);
  }

  static CopyPart without(int copy, State state, @Nullable FileFault fault) {
    String file = fault == null ? "" : fault.file();
    long position = fault == null ? Fault.UNKNOWN : fault.fault().position();
    return new CopyPart(copy, state, 0, file, position, -1, -1, fault);
  }

  /** Returns true if the other part, of a later batch of the same copy, says the same. */
  boolean isLike(CopyPart other) {
    return state == other.state
        && content == other.content
        && (state != State.DAMAGED || Objects.equals(fault, other.fault));
  }

  CopyPart withCheckpointEpoch(int epoch) {
    return new CopyPart(copy, state, content, file, position, leaderEpoch, epoch, fault);
  }
}
