// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.zstd;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * A linker of functions in one native library of our class loader, for JDK 22 and later.
 *
 * <p>The JDK searches all libraries of the loader, in no order. Another one, such as RocksDB's, may
 * contain functions of the same name. The C library says which library an address is in. Windows
 * has no such function, so nothing can be linked there.
 *
 * <p>Reaches {@code java.lang.foreign} by reflection, because this code is compiled for JDK 17.
 * Addresses are passed as {@code long}, so calls need no memory segments. Allocates; called when a
 * codec is created.
 */
final class ForeignLinker {
  private static final String PACKAGE = "java.lang.foreign.";
  private static final int FIRST_JDK = 22;

  /** Takes the addresses of a symbol and of a {@code Dl_info} to fill. Returns 0 for no library. */
  private static final String LIBRARY_OF = "dladdr";

  private static final int INFO_BYTES = 4 * Long.BYTES;

  /** The position, in a {@code Dl_info}, of the address of the library. */
  private static final int INFO_BASE_AT = Long.BYTES;

  private final Class<?> segmentType = type("MemorySegment");
  private final Class<?> layoutType = type("MemoryLayout");
  private final Class<?> descriptorType = type("FunctionDescriptor");
  private final Class<?> linkerType = type("Linker");
  private final Class<?> lookupType = type("SymbolLookup");
  private final Class<?> optionType = type("Linker$Option");
  private final Object linker = linkerType.getMethod("nativeLinker").invoke(null);
  private final Object symbols = lookupType.getMethod("loaderLookup").invoke(null);
  private final MethodHandle segmentOf = segmentOf();
  private final MethodHandle addressOf = addressOf();
  private final MethodHandle libraryOf = libraryOf();
  private final long library;

  /**
   * Opens the linker of the JDK.
   *
   * @param onlyThere the name of a symbol that only the library to link has
   * @throws ReflectiveOperationException if the JDK has no linker
   * @throws NoSuchElementException if the loader has no such library
   */
  ForeignLinker(String onlyThere) throws ReflectiveOperationException {
    library = libraryWith(found(symbols, onlyThere));
  }

  /**
   * {@return true if this JDK has a linker that we may use without a warning, and addresses of
   * eight bytes} The JDK warns once per module. Code on the class path shares one permission, which
   * zstd-jni asks for before us. Addresses and sizes are passed as {@code long}.
   *
   * @throws ReflectiveOperationException if the JDK has no linker
   */
  static boolean isPermitted() throws ReflectiveOperationException {
    return Runtime.version().feature() >= FIRST_JDK
        && (boolean)
            Module.class.getMethod("isNativeAccessEnabled").invoke(ForeignLinker.class.getModule())
        && bytesOf(layout(Object.class)) == Long.BYTES;
  }

  private static long bytesOf(Object layout) throws ReflectiveOperationException {
    return (long) type("MemoryLayout").getMethod("byteSize").invoke(layout);
  }

  /**
   * Links a function.
   *
   * @param name the name of its symbol
   * @param type its type: {@code long} for a size or an address, {@code int} for an enumeration,
   *     {@code Object} for a segment of an array. A function with such a segment stays in the Java
   *     state while it runs, so it has to be short.
   * @return a handle of exactly this type
   * @throws ReflectiveOperationException if linking is denied
   * @throws NoSuchElementException if the symbol is not found, or first in another library
   */
  MethodHandle function(String name, MethodType type) throws ReflectiveOperationException {
    Object symbol = found(symbols, name);
    if (libraryWith(symbol) != library) {
      throw new NoSuchElementException(name + " is in another library");
    }
    return handle(symbol, type);
  }

  private Object found(Object lookup, String name) throws ReflectiveOperationException {
    Optional<?> symbol =
        (Optional<?>) lookupType.getMethod("find", String.class).invoke(lookup, name);
    return symbol.orElseThrow();
  }

  private MethodHandle libraryOf() throws ReflectiveOperationException {
    Object systemSymbols = linkerType.getMethod("defaultLookup").invoke(linker);
    return handle(
        found(systemSymbols, LIBRARY_OF), MethodType.methodType(int.class, long.class, long.class));
  }

  /** Returns the address that the library with a symbol is loaded at. */
  private long libraryWith(Object symbol) throws ReflectiveOperationException {
    long address = (long) segmentType.getMethod("address").invoke(symbol);
    ByteBuffer info = ByteBuffer.allocateDirect(INFO_BYTES).order(ByteOrder.nativeOrder());
    int found;
    try {
      found = (int) libraryOf.invokeExact(address, address(info));
    } catch (Throwable e) {
      found = (int) rethrow(e);
    }
    long base = info.getLong(INFO_BASE_AT); // also keeps the buffer reachable during the call
    if (found == 0) {
      throw new NoSuchElementException("the library with a symbol");
    }
    return base;
  }

  private MethodHandle handle(Object symbol, MethodType type) throws ReflectiveOperationException {
    Object layouts = Array.newInstance(layoutType, type.parameterCount());
    boolean takesArray = false;
    for (int i = 0; i < type.parameterCount(); i++) {
      takesArray |= type.parameterType(i) == Object.class;
      Array.set(layouts, i, layout(type.parameterType(i)));
    }
    Object descriptor =
        descriptorType
            .getMethod("of", layoutType, layouts.getClass())
            .invoke(null, layout(type.returnType()), layouts);
    Object options = Array.newInstance(optionType, takesArray ? 1 : 0);
    if (takesArray) {
      Array.set(options, 0, optionType.getMethod("critical", boolean.class).invoke(null, true));
    }
    Object handle =
        linkerType
            .getMethod("downcallHandle", segmentType, descriptorType, options.getClass())
            .invoke(linker, symbol, descriptor, options);
    return ((MethodHandle) handle).asType(type);
  }

  private static Object layout(Class<?> type) throws ReflectiveOperationException {
    String name = type == long.class ? "JAVA_LONG" : type == int.class ? "JAVA_INT" : "ADDRESS";
    return type("ValueLayout").getField(name).get(null);
  }

  /** {@return the address of index 0 of a direct buffer} Valid while the buffer is reachable. */
  long address(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("not a direct buffer");
    }
    long address;
    try {
      address = (long) addressOf.invokeExact((Buffer) direct);
    } catch (Throwable e) {
      address = rethrow(e);
    }
    return address - direct.position();
  }

  /** {@return a segment of all of an array, as an argument of a function} */
  Object segment(byte[] array) {
    try {
      return segmentOf.invokeExact(array);
    } catch (Throwable e) {
      return rethrow(e);
    }
  }

  /**
   * Throws what a call threw. Handles of native functions throw nothing checked.
   *
   * @return never, so that callers need no statement to throw
   */
  static long rethrow(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
  }

  private MethodHandle segmentOf() throws ReflectiveOperationException {
    return MethodHandles.publicLookup()
        .findStatic(segmentType, "ofArray", MethodType.methodType(segmentType, byte[].class))
        .asType(MethodType.methodType(Object.class, byte[].class));
  }

  private MethodHandle addressOf() throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    return MethodHandles.filterReturnValue(
        lookup.findStatic(
            segmentType, "ofBuffer", MethodType.methodType(segmentType, Buffer.class)),
        lookup.findVirtual(segmentType, "address", MethodType.methodType(long.class)));
  }

  private static Class<?> type(String name) throws ReflectiveOperationException {
    return Class.forName(PACKAGE + name);
  }
}
