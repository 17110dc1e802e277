// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that an object of this library holds, found by following its fields. Constants that
 * all objects share are left out, and so are the internals of the codec libraries and of the JDK.
 */
public final class HeldMemory {
  private static final String OURS = "io.github.batchvalidator.";

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> left = new ArrayDeque<>();
  private long arrayBytes;
  private long directBytes;

  /** Follows the fields of an object. */
  public HeldMemory(Object root) {
    HeldMemory all = new HeldMemory();
    all.follow(root);
    for (Object each : all.seen) {
      followStatics(each.getClass());
    }
    arrayBytes = 0;
    directBytes = 0;
    follow(root);
  }

  private HeldMemory() {}

  /** Returns the bytes of all arrays of primitives. */
  public long arrayBytes() {
    return arrayBytes;
  }

  /** Returns the bytes of all buffers outside of the heap. */
  public long directBytes() {
    return directBytes;
  }

  /** Returns whether it holds a buffer, or what that lies in. */
  @SuppressWarnings("ByteBufferBackingArray") // The array itself is meant, not what is in it.
  public boolean holds(ByteBuffer buffer) {
    return seen.contains(buffer) || (buffer.hasArray() && seen.contains(buffer.array()));
  }

  private void followStatics(Class<?> of) {
    for (Field field : of.getDeclaredFields()) {
      if (of.getName().startsWith(OURS) && Modifier.isStatic(field.getModifiers())) {
        visitField(field, null);
      }
    }
    drain();
  }

  private void follow(Object root) {
    visit(root);
    drain();
  }

  private void drain() {
    while (!left.isEmpty()) {
      Object next = left.pop();
      Class<?> type = next.getClass();
      if (type.isArray()) {
        followArray(next, type.getComponentType());
      } else if (next instanceof ByteBuffer buffer) {
        followBuffer(buffer);
      } else if (next instanceof Map<?, ?> map) {
        map.values().forEach(this::visit);
      } else {
        followFields(next, type);
      }
    }
  }

  private void followArray(Object array, Class<?> of) {
    int length = Array.getLength(array);
    if (of.isPrimitive()) {
      arrayBytes += (long) length * bytesOf(of);
      return;
    }
    for (int i = 0; i < length; i++) {
      visit(Array.get(array, i));
    }
  }

  private static int bytesOf(Class<?> primitive) {
    if (primitive == byte.class || primitive == boolean.class) {
      return Byte.BYTES;
    }
    if (primitive == short.class || primitive == char.class) {
      return Short.BYTES;
    }
    return primitive == int.class || primitive == float.class ? Integer.BYTES : Long.BYTES;
  }

  @SuppressWarnings("ByteBufferBackingArray") // As a whole it is held.
  private void followBuffer(ByteBuffer buffer) {
    if (buffer.isDirect()) {
      directBytes += buffer.capacity();
    } else if (buffer.hasArray()) {
      visit(buffer.array());
    }
  }

  private void followFields(Object of, Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (each.getName().startsWith(OURS) && !Modifier.isStatic(field.getModifiers())) {
          visitField(field, of);
        }
      }
    }
  }

  private void visitField(Field field, @Nullable Object of) {
    if (field.getType().isPrimitive()) {
      return;
    }
    field.setAccessible(true);
    try {
      visit(field.get(of));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private void visit(@Nullable Object object) {
    if (object != null && seen.add(object)) {
      left.push(object);
    }
  }
}
