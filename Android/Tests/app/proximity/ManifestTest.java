package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Tests the parts of the manifest that other applications, the network and backups use. */
public class ManifestTest {
  private static Document read(String name) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(System.getProperty("android"), name));
  }

  /** Returns true if the application can open a file of this type and path, by the rules of Android's IntentFilter. */
  private static boolean opens(String type, String path) throws Exception {
    NodeList filters = read("AndroidManifest.xml").getElementsByTagName("intent-filter");
    for (int i = 0; i < filters.getLength(); i++) {
      Element filter = (Element) filters.item(i);
      String action = ((Element) filter.getElementsByTagName("action").item(0)).getAttribute("android:name");
      if (!action.equals("android.intent.action.VIEW")) continue;
      NodeList all = filter.getElementsByTagName("data");
      for (int j = 0; j < all.getLength(); j++) {
        Element data = (Element) all.item(j);
        String wanted = data.getAttribute("android:mimeType");
        String pattern = data.getAttribute("android:pathPattern");
        // A path pattern has effect only together with a host.
        if (!pattern.isEmpty() && data.getAttribute("android:host").isEmpty()) continue;
        if ((wanted.equals("*/*") || wanted.equals(type)) && (pattern.isEmpty() || path.matches(pattern))) return true;
      }
    }
    return false;
  }

  @Test public void tablesAndPacksAreOpened() throws Exception {
    for (String type : new String[] {"application/vnd.proximity.pad", "text/csv", "text/comma-separated-values", "application/gpx+xml", "application/octet-stream"}) {
      assertTrue(type, opens(type, "/document/12"));
    }
    assertTrue(opens("application/zip", "/Download/woods.zonepack"));
    assertFalse(opens("application/zip", "/Download/woods.zip"));
    assertFalse(opens("image/png", "/document/12"));
  }

  /** By default, Android trusts only the system's authorities from version 7 on: docs "Network security configuration". */
  @Test public void authoritiesThatAPersonInstalledAreTrustedAndNothingIsSentInClear() throws Exception {
    Element application = (Element) read("AndroidManifest.xml").getElementsByTagName("application").item(0);
    assertEquals("@xml/network", application.getAttribute("android:networkSecurityConfig"));
    Element rules = read("res/xml/network.xml").getDocumentElement();
    assertEquals(1, rules.getElementsByTagName("*").getLength() - rules.getElementsByTagName("certificates").getLength() - 1);
    Element base = (Element) rules.getElementsByTagName("base-config").item(0);
    assertEquals("false", base.getAttribute("cleartextTrafficPermitted"));
    Set<String> sources = new HashSet<>();
    NodeList certificates = base.getElementsByTagName("certificates");
    for (int i = 0; i < certificates.getLength(); i++) {
      assertEquals("pins are not passed over", "", ((Element) certificates.item(i)).getAttribute("overridePins"));
      sources.add(((Element) certificates.item(i)).getAttribute("src"));
    }
    assertEquals(new HashSet<>(Arrays.asList("system", "user")), sources);
  }

  private static Set<String> excluded(Element rules) {
    Set<String> domains = new HashSet<>();
    assertEquals("nothing is included", 0, rules.getElementsByTagName("include").getLength());
    NodeList all = rules.getElementsByTagName("exclude");
    for (int i = 0; i < all.getLength(); i++) {
      assertEquals(".", ((Element) all.item(i)).getAttribute("path"));
      domains.add(((Element) all.item(i)).getAttribute("domain"));
    }
    return domains;
  }

  /** Android backs up every domain that is not excluded: docs "Back up user data with Auto Backup". */
  @Test public void nothingIsCopiedOffThePhone() throws Exception {
    Element application = (Element) read("AndroidManifest.xml").getElementsByTagName("application").item(0);
    assertEquals("false", application.getAttribute("android:allowBackup"));
    assertEquals("@xml/backup", application.getAttribute("android:fullBackupContent"));
    assertEquals("@xml/extraction", application.getAttribute("android:dataExtractionRules"));
    Set<String> old = new HashSet<>(Arrays.asList("root", "file", "database", "sharedpref", "external"));
    assertEquals(old, excluded(read("res/xml/backup.xml").getDocumentElement()));
    Set<String> all = new HashSet<>(old);
    all.addAll(Arrays.asList("device_root", "device_file", "device_database", "device_sharedpref"));
    for (String part : new String[] {"cloud-backup", "device-transfer"}) {
      assertEquals(part, all, excluded((Element) read("res/xml/extraction.xml").getElementsByTagName(part).item(0)));
    }
  }
}
