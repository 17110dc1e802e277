// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.batchvalidator.dropin.DropInMXBean;
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

/** The beans of a running broker; its heap above all. */
final class BrokerHeap implements AutoCloseable {
  private final JMXConnector connector;

  @SuppressWarnings("BanJNDI") // the address comes from a JVM that the test has started
  BrokerHeap(BrokerProcess broker) throws IOException, AttachNotSupportedException {
    VirtualMachine jvm = VirtualMachine.attach(Long.toString(broker.pid()));
    try {
      connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()));
    } finally {
      jvm.detach();
    }
  }

  /** Returns the bytes that are left after a collection. */
  long liveBytes() throws IOException {
    MemoryMXBean memory = ManagementFactory.getPlatformMXBean(beans(), MemoryMXBean.class);
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** Returns what the drop-in shows. */
  DropInMXBean dropIn() throws IOException, MalformedObjectNameException {
    return JMX.newMXBeanProxy(beans(), new ObjectName(DropInMXBean.NAME), DropInMXBean.class);
  }

  private MBeanServerConnection beans() throws IOException {
    return connector.getMBeanServerConnection();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
