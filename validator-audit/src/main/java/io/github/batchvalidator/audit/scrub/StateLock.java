// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.report.Messages;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A lock that keeps two scrubs from using the same state file. It is on a file beside the state,
 * because the state is replaced. That file stays, but the lock ends with its process.
 */
final class StateLock implements AutoCloseable {
  private @Nullable FileChannel channel;
  private boolean refused;

  /** Locks a state file. Without a file, or on a file system without locks, all is permitted. */
  StateLock(@Nullable Path state, ScrubOutput output) {
    if (state == null) {
      return;
    }
    Path beside = state.resolveSibling(state.getFileName() + ".lock");
    try {
      channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      refused = channel.tryLock() == null;
    } catch (OverlappingFileLockException ofThisProcess) {
      refused = true;
    } catch (IOException e) {
      output.note("the state file is not locked: " + beside + ": " + Messages.of(e));
    }
    if (refused) {
      output.error(state.toString(), "another scrub uses this state file; nothing was checked");
    }
  }

  /** Returns true if another scrub uses the file. That is reported already. */
  boolean isRefused() {
    return refused;
  }

  @Override
  public void close() {
    FileChannel opened = channel;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        // The lock ends with the process.
      }
    }
  }
}
