package phone;

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The application's own manifest and strings, read from the sources. The double starts the components that they name. */
public final class Manifest {
  private final Document manifest;
  private final Map<String, String> words = new HashMap<>();

  Manifest(File manifest, File resources) {
    this.manifest = read(manifest);
    NodeList strings = read(new File(resources, "values/strings.xml")).getElementsByTagName("string");
    for (int i = 0; i < strings.getLength(); i++) {
      Element string = (Element) strings.item(i);
      words.put(string.getAttribute("name"), string.getTextContent());
    }
  }

  private static Document read(File file) {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file);
    } catch (Exception e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  /** Returns the receivers for this action; before the first unlock, only those with android:directBootAware. */
  List<String> receivers(String action, boolean isLocked) {
    List<String> names = new ArrayList<>();
    NodeList receivers = manifest.getElementsByTagName("receiver");
    for (int i = 0; i < receivers.getLength(); i++) {
      Element receiver = (Element) receivers.item(i);
      if (isLocked && !receiver.getAttribute("android:directBootAware").equals("true")) continue;
      NodeList actions = receiver.getElementsByTagName("action");
      for (int j = 0; j < actions.getLength(); j++) {
        if (!((Element) actions.item(j)).getAttribute("android:name").equals(action)) continue;
        names.add("app.proximity" + receiver.getAttribute("android:name"));
      }
    }
    return names;
  }

  private static final Map<String, Integer> TYPES = Map.of("mediaPlayback", 2, "location", 8, "systemExempted", 0x400);
  private static final Map<String, String> PERMISSIONS = Map.of("mediaPlayback", "FOREGROUND_SERVICE_MEDIA_PLAYBACK",
      "location", "FOREGROUND_SERVICE_LOCATION", "systemExempted", "FOREGROUND_SERVICE_SYSTEM_EXEMPTED");

  /** Returns the foreground service types that the manifest declares for the service. */
  public int foregroundTypes() {
    int types = 0;
    String all = ((Element) manifest.getElementsByTagName("service").item(0)).getAttribute("android:foregroundServiceType");
    for (String each : all.split("\\|")) types |= TYPES.get(each);
    return types;
  }

  /** Returns true if the permission for each of these foreground service types is declared. */
  boolean permits(int types) {
    return TYPES.entrySet().stream().allMatch(each -> (types & each.getValue()) == 0 || declares(PERMISSIONS.get(each.getKey())));
  }

  /**
  * Returns true if this level calls a callback in place of onBackPressed: from 33 on if the manifest requests it, from 36 on
  * unless the manifest refuses it.
  */
  public boolean tellsBackByCallback(int level) {
    String asked = ((Element) manifest.getElementsByTagName("application").item(0)).getAttribute("android:enableOnBackInvokedCallback");
    return level >= 36 ? !asked.equals("false") : level >= 33 && asked.equals("true");
  }

  boolean declares(String permission) {
    NodeList permissions = manifest.getElementsByTagName("uses-permission");
    for (int i = 0; i < permissions.getLength(); i++) {
      if (((Element) permissions.item(i)).getAttribute("android:name").equals("android.permission." + permission)) return true;
    }
    return false;
  }

  /** Returns a string resource by its id. */
  public String words(int id) {
    try {
      for (java.lang.reflect.Field field : Class.forName("app.proximity.R$string").getFields()) {
        if (field.getInt(null) == id) return words.get(field.getName());
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalArgumentException("there is no string " + id);
  }
}
