// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.batchvalidator.dropin.management.DropInMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.management.jfr.FlightRecorderMXBean;

/** The beans of a running broker, over JMX. */
public final class BrokerBeans implements AutoCloseable {
  private final JMXConnector connector;

  /**
   * Connects to a broker.
   *
   * @param broker a running one
   * @throws IOException if its JVM does not answer
   * @throws AttachNotSupportedException if it is no JVM that can be attached to
   */
  @SuppressWarnings("BanJNDI") // the address comes from a JVM that was started here
  public BrokerBeans(BrokerProcess broker) throws IOException, AttachNotSupportedException {
    VirtualMachine jvm = VirtualMachine.attach(Long.toString(broker.pid()));
    try {
      connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()));
    } finally {
      jvm.detach();
    }
  }

  /** Returns the bytes that are left after a collection. */
  public long liveBytes() throws IOException {
    MemoryMXBean memory = ManagementFactory.getPlatformMXBean(connection(), MemoryMXBean.class);
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** Tells whether there is a drop-in that has validated something. */
  public boolean hasDropIn() throws IOException, MalformedObjectNameException {
    return connection().isRegistered(new ObjectName(DropInMXBean.NAME));
  }

  /** Returns what the drop-in shows. */
  public DropInMXBean dropIn() throws IOException, MalformedObjectNameException {
    return JMX.newMXBeanProxy(connection(), new ObjectName(DropInMXBean.NAME), DropInMXBean.class);
  }

  /** Returns the flight recorder of its JVM. */
  public FlightRecorderMXBean flightRecorder() throws IOException {
    return ManagementFactory.getPlatformMXBean(connection(), FlightRecorderMXBean.class);
  }

  /** Returns the connection to its beans. */
  public MBeanServerConnection connection() throws IOException {
    return connector.getMBeanServerConnection();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
