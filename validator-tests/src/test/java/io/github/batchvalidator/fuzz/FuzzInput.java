// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import java.util.Arrays;

/**
 * Reads what a fuzzer made up: choices of one byte each from the front, then the bytes to be
 * tested. Behind the end all choices are 0, so that any input is one.
 */
public final class FuzzInput {
  private final byte[] bytes;
  private int at;

  /** Reads an input, which must not change. */
  public FuzzInput(byte[] input) {
    bytes = input;
  }

  /** Returns a number from 0 to {@code count} - 1. */
  public int choice(int count) {
    return (at < bytes.length ? bytes[at++] & 0xFF : 0) % count;
  }

  /** Returns true or false. */
  public boolean flag() {
    return choice(2) == 1;
  }

  /** Returns one of several values. */
  @SafeVarargs
  public final <T> T of(T... values) {
    return values[choice(values.length)];
  }

  /** Returns a number of two bytes, negative ones too. */
  public int number() {
    return (short) (choice(256) << Byte.SIZE | choice(256));
  }

  /** Returns so many bytes, zeros where the input has no more. */
  public byte[] take(int count) {
    byte[] taken =
        Arrays.copyOf(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + count)), count);
    at = Math.min(bytes.length, at + count);
    return taken;
  }

  /** Returns true if bytes are left. */
  public boolean hasMore() {
    return at < bytes.length;
  }

  /** Returns all that is left. */
  public byte[] rest() {
    return Arrays.copyOfRange(bytes, at, bytes.length);
  }
}
