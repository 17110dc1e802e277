// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing.streams;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Plain bytes of a few characters, the same ones at every run. */
public enum Plain {
  RANDOM {
    @Override
    public byte[] bytes(int length) {
      byte[] bytes = new byte[length];
      new Random(length).nextBytes(bytes);
      return bytes;
    }
  },
  ZEROS {
    @Override
    public byte[] bytes(int length) {
      return new byte[length];
    }
  },
  JSON {
    @Override
    public byte[] bytes(int length) {
      Random random = new Random(length);
      StringBuilder text = new StringBuilder(length + 64);
      while (text.length() < length) {
        text.append("{\"user\":").append(random.nextInt(10_000));
        text.append(",\"page\":\"/item/").append(random.nextInt(500)).append("\"}\n");
      }
      return Arrays.copyOf(text.toString().getBytes(StandardCharsets.US_ASCII), length);
    }
  };

  /** Returns so many of them. */
  public abstract byte[] bytes(int length);
}
