// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A broker that is also a controller, and the controllers that it votes with.
 *
 * @param nodeId from 1
 * @param port of its clients
 * @param controllerPort of the other controllers
 * @param voters all controllers, in the format of {@code controller.quorum.voters}
 */
public record ClusterMember(int nodeId, int port, int controllerPort, String voters) {
  /** Below the ports that Linux and macOS give to outgoing connections. */
  private static final int FIRST_FIXED_PORT = 20_000;

  private static final int FIXED_PORTS = 12_000;

  /** Far apart for two processes that follow each other, so that they look at other ports. */
  private static final int STEP = 1009;

  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * STEP % FIXED_PORTS));

  /**
   * Returns a member that is alone.
   *
   * @throws IOException if no port is free
   */
  static ClusterMember alone() throws IOException {
    return cluster(1).get(0);
  }

  /**
   * Returns the members of a cluster. No outgoing connection takes their ports while they are down,
   * so that they can be started later, and again.
   *
   * @param count of members
   * @throws IOException if too few ports are free
   */
  public static List<ClusterMember> cluster(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < 2 * count) {
      ports.add(freePort());
    }
    return of(ports);
  }

  /**
   * Returns a free port, and not the same one again soon.
   *
   * @throws IOException if no port is free
   */
  public static int freePort() throws IOException {
    for (int i = 0; i < FIXED_PORTS; i++) {
      int port = FIRST_FIXED_PORT + Math.floorMod(NEXT.getAndIncrement(), FIXED_PORTS);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IOException("no free port from " + FIRST_FIXED_PORT + " on");
  }

  /** Returns a member for each two ports. */
  private static List<ClusterMember> of(List<Integer> ports) {
    String voters =
        IntStream.range(0, ports.size() / 2)
            .mapToObj(i -> (i + 1) + "@127.0.0.1:" + ports.get(2 * i + 1))
            .collect(Collectors.joining(","));
    return IntStream.range(0, ports.size() / 2)
        .mapToObj(i -> new ClusterMember(i + 1, ports.get(2 * i), ports.get(2 * i + 1), voters))
        .toList();
  }

  /** Returns where clients find it: host and port. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
