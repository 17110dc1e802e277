// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.internal.codec.Payload;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Input that is no array is copied, and once only, however many members it has. */
final class MemberInflaterTest {
  private static final int WINDOW_BYTES = 1024;

  @Test
  void theJdksInflaterKeepsThePieceInWhichAMemberEnded() {
    MemberInflater jdk = new JdkInflater(new byte[WINDOW_BYTES], Integer.MAX_VALUE);
    assertCopiesOnce(jdk, Integer.MAX_VALUE);
  }

  @Test
  void theJdksInflaterUnderTheOneInJavaKeepsItToo() {
    assertCopiesOnce(new JavaInflater(WINDOW_BYTES), 1);
  }

  @Test
  void theOneInJavaCopiesThePayloadOnce() {
    assertCopiesOnce(new JavaInflater(WINDOW_BYTES), Integer.MAX_VALUE);
  }

  private static void assertCopiesOnce(MemberInflater inflater, int memoryLimit) {
    byte[] plain = new byte[3 * WINDOW_BYTES];
    new Random(1).nextBytes(plain);
    byte[] member = deflate(plain);
    ByteBuffer twice = ByteBuffer.allocateDirect(2 * member.length).put(member).put(member);
    inflater.open(new Payload().wrap(twice, 0, twice.capacity()), memoryLimit);
    inflater.start(0);
    assertArrayEquals(plain, inflate(inflater, plain.length));
    byte[] nothing = new byte[member.length];
    twice.put(member.length, nothing);
    inflater.start(member.length);
    assertArrayEquals(plain, inflate(inflater, plain.length), "read anew");
    inflater.release();
    inflater.close();
  }

  private static byte[] inflate(MemberInflater inflater, int most) {
    ByteBuffer all = ByteBuffer.allocate(most);
    while (!inflater.ended()) {
      int bytes = inflater.inflate(WINDOW_BYTES);
      assertTrue(bytes >= 0, () -> "fault " + bytes);
      all.put(inflater.array(), inflater.from(), bytes);
    }
    return all.array();
  }

  private static byte[] deflate(byte[] plain) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    deflater.setInput(plain);
    deflater.finish();
    byte[] stored = new byte[2 * plain.length];
    int bytes = deflater.deflate(stored);
    deflater.end();
    return Arrays.copyOf(stored, bytes);
  }
}
