package app.proximity;

import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Build;
import android.util.Base64;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Records when each of the ten steps of docs/android-first-run.md first happened on this phone, and makes the report of them, with
 * the journal, whose places are moved. On the thread of the watch.
 */
final class FirstRun {
  /** The steps in the order of the document. */
  enum Step {
    /** The application ran. */
    INSTALLED,
    /** The page was loaded and called the bridge. */
    PAGE,
    /** The precise location is allowed. */
    LOCATION,
    /** Everything that the page asks for is granted. */
    GRANTS,
    /** The test alarm rang and was stopped. */
    TEST,
    /** The phone was watching while the application was in the background. */
    WATCHING,
    /** A zone's alarm rang while the application was in the background. */
    RANG,
    /** Location was switched off and on, or the battery saver on and off, and the trouble was shown and withdrawn. */
    TROUBLE,
    /** An alarm rang after a restart of the phone, before the application was opened. */
    RESTARTED,
    /** A report was made. */
    REPORT
  }

  private final Context context;
  private final File file;
  /** The times in ms since 1970; 0 for a step that did not happen. */
  private final long[] times = new long[Step.values().length];
  private long page_ms = -1;

  FirstRun(Context context) {
    this.context = context;
    file = new File(context.getFilesDir(), "first-run");
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Watch.disk.read(file)))) {
      for (int i = 0; i < times.length && in.available() >= 8; i++) times[i] = in.readLong();
    } catch (IOException e) {
      return; // The report then begins anew.
    }
  }

  /** Keeps the first time of a step. */
  void happened(Step step) {
    if (times[step.ordinal()] != 0) return;
    times[step.ordinal()] = Clock.now();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    File fresh = new File(context.getFilesDir(), "first-run.new");
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      for (long each : times) out.writeLong(each);
      Watch.disk.write(fresh, bytes.toByteArray());
      Watch.disk.rename(fresh, file);
    } catch (IOException e) {
      return; // A full storage is told by the watch; no alarm hangs on this.
    }
  }

  /** Records the time from the creation of the screen to the page's first call of the bridge, in ms. */
  void pageCame(long took_ms) {
    page_ms = took_ms;
    happened(Step.PAGE);
  }

  /**
   * Returns the steps, this phone's properties and its permissions, as JSON.
   *
   * @param permissions the result of {@link Permissions#object}
   */
  String report(JSONObject permissions) {
    happened(Step.REPORT);
    JSONArray steps = new JSONArray();
    for (Step step : Step.values()) {
      long at_ms = times[step.ordinal()];
      steps.put(Permissions.json("step", step.ordinal() + 1, "name", step.name(), "happened", at_ms != 0, "at_ms", at_ms));
    }
    return Permissions.json("report", "proximity first run", "form", 1, "at_ms", Clock.now(), "version", version(),
        "android", Build.VERSION.SDK_INT, "maker", text(Build.MANUFACTURER), "model", text(Build.MODEL), "page_ms", page_ms,
        "battery", PhoneState.batteryPercent(context), "steps", steps, "permissions", permissions).toString();
  }

  /**
   * Adds the journal to a report, moved: nothing in it says where the phone was. From any thread but those of the watch and the screen,
   * since it may take seconds.
   *
   * @param journal all stored journals
   */
  static String withJournal(String report, byte[] journal) {
    String more;
    try {
      more = "\"journal\":\"" + Base64.encodeToString(Engine.moved(journal), Base64.NO_WRAP) + "\"}";
    } catch (IllegalArgumentException e) {
      more = Permissions.json("journal_fault", text(e.getMessage())).toString().substring(1);
    }
    return report.substring(0, report.length() - 1) + "," + more;
  }

  private static String text(String text) {
    return text == null ? "" : text;
  }

  private String version() {
    try {
      return text(context.getPackageManager().getPackageInfo(context.getPackageName(), 0).versionName);
    } catch (PackageManager.NameNotFoundException e) {
      return "";
    }
  }
}
