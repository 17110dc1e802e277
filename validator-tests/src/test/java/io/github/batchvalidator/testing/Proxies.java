// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Makes objects of an interface with many methods, of which a test needs few. */
public final class Proxies {
  private Proxies() {}

  /** Returns an object that has a handler answer all calls. */
  public static <T> T of(Class<T> type, InvocationHandler handler) {
    Class<?>[] types = {type};
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, handler));
  }
}
