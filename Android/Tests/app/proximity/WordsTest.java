package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.File;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Tests that every language has all strings. */
public class WordsTest {
  private static TreeMap<String, String> words(String folder) throws Exception {
    TreeMap<String, String> words = new TreeMap<>();
    File file = new File(System.getProperty("android"), "res/" + folder + "/strings.xml");
    NodeList strings = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file).getElementsByTagName("string");
    for (int i = 0; i < strings.getLength(); i++) {
      Element string = (Element) strings.item(i);
      if (string.getAttribute("translatable").isEmpty()) words.put(string.getAttribute("name"), string.getTextContent());
    }
    return words;
  }

  @Test public void inFiveLanguages() throws Exception {
    TreeMap<String, String> english = words("values");
    for (String language : new String[] {"de", "fr", "es", "ja"}) {
      TreeMap<String, String> words = words("values-" + language);
      assertEquals(language, english.keySet(), words.keySet());
      for (String name : english.keySet()) {
        assertFalse(language + " " + name, words.get(name).isEmpty());
        assertEquals(language + " " + name, english.get(name).contains("%1$s"), words.get(name).contains("%1$s"));
      }
    }
  }
}
