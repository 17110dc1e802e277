// Prints what the drop-in has counted: JMX_PORT=9999 jshell -s counts.jsh
import javax.management.*;
import javax.management.openmbean.*;
import javax.management.remote.*;
var url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + System.getenv("JMX_PORT") + "/jmxrmi");
var server = JMXConnectorFactory.connect(url).getMBeanServerConnection();
var bean = new ObjectName("io.github.batchvalidator:type=DropIn");
for (var name : List.of("KafkaLine", "Settings", "PolicyError", "Accepted", "Refused", "OffLockStamped", "ShadowAppends",
    "ShadowDiffering"))
  System.out.println(name + " " + server.getAttribute(bean, name));
for (var name : List.of("ShadowDifferences", "FoundByReason", "RefusedByReason", "FoundBySection", "RefusedBySection",
    "OffLockFallbacks", "AcceptedByCodec"))
  for (var row : ((TabularData) server.getAttribute(bean, name)).values())
    if (!((CompositeData) row).get("value").equals(0L))
      System.out.println(name + " " + ((CompositeData) row).values());
/exit
