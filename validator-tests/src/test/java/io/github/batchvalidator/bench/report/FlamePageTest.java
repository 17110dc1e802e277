// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class FlamePageTest {
  private static final List<String> STACKS =
      List.of(
          "java/lang/Thread.run;a/Log.append;v/Validator.check;inflate 300",
          "java/lang/Thread.run;a/Log.append;v/Validator.check 100",
          "java/lang/Thread.run;a/Log.append;b/File.<init> 599",
          "java/lang/Thread.run;seldom 1",
          "");

  private static FlamePage page() {
    FlamePage page = new FlamePage("Kafka <4>", frame -> frame.startsWith("v."));
    page.add("CPU, DROP_IN", StackTree.ofCollapsed(STACKS));
    return page;
  }

  private static Document parse(FlamePage page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(page.html())));
  }

  /** Returns the boxes by what they say when they are pointed at. */
  private static Map<String, Element> boxes(Document page) {
    NodeList rects = page.getElementsByTagName("rect");
    Map<String, Element> boxes = new HashMap<>();
    for (int i = 0; i < rects.getLength(); i++) {
      boxes.put(rects.item(i).getTextContent(), (Element) rects.item(i));
    }
    return boxes;
  }

  private static Element box(Map<String, Element> boxes, String name) {
    return Objects.requireNonNull(boxes.get(name), name);
  }

  private static double number(Element box, String name) {
    return Double.parseDouble(box.getAttribute(name));
  }

  @Test
  void aFrameIsAsWideAsWhatWasSeenBelow() throws Exception {
    Map<String, Element> boxes = boxes(parse(page()));
    Element all = box(boxes, "all, 100.0 %");
    Element check = box(boxes, "v.Validator.check, 40.0 %");
    Element inflate = box(boxes, "inflate, 30.0 %");
    assertEquals(0.4 * 1000 - 0.5, number(check, "width"), 0.1);
    assertEquals(0.3 * 1000 - 0.5, number(inflate, "width"), 0.1);
    assertTrue(number(all, "y") < number(check, "y"));
    assertTrue(number(check, "y") < number(inflate, "y"));
    assertEquals(number(check, "x"), number(inflate, "x"));
    Element init = box(boxes, "b.File.<init>, 59.9 %");
    assertEquals(number(check, "y"), number(init, "y"));
    double gap = number(check, "x") - number(init, "x") - number(init, "width");
    assertEquals(0.5, gap, 0.11, "side by side");
    assertEquals(6, boxes.size(), "but what is too narrow");
  }

  @Test
  void theValidatorStandsOutAndAllBelow() throws Exception {
    Map<String, String> classes = new HashMap<>();
    boxes(parse(page())).forEach((name, box) -> classes.put(name, box.getAttribute("class")));
    assertEquals("ours", classes.get("v.Validator.check, 40.0 %"));
    assertEquals("ours", classes.get("inflate, 30.0 %"));
    assertEquals("frame", classes.get("a.Log.append, 99.9 %"));
    assertEquals("frame", classes.get("b.File.<init>, 59.9 %"));
  }

  @Test
  void namesStandWhereThereIsRoom() throws Exception {
    Document page = parse(page());
    List<String> words = new ArrayList<>();
    NodeList texts = page.getElementsByTagName("text");
    for (int i = 0; i < texts.getLength(); i++) {
      words.add(texts.item(i).getTextContent());
    }
    assertTrue(words.containsAll(List.of("Thread.run", "Validator.check", "File.<init>")));
    assertEquals("Kafka <4>", page.getElementsByTagName("h1").item(0).getTextContent());
    assertEquals(
        "CPU, DROP_IN: 40.0 %", page.getElementsByTagName("figcaption").item(0).getTextContent());
  }

  @Test
  void nothingComesFromOutside() throws IOException {
    String html = page().html();
    assertFalse(html.replace("http://www.w3.org/1999/xhtml", "").contains("http"));
    assertFalse(html.contains("<script") || html.contains("<link") || html.contains("@import"));
  }

  @Test
  void anEmptyProfileIsNoProfile() {
    assertThrows(IllegalArgumentException.class, () -> StackTree.ofCollapsed(List.of("")));
  }
}
