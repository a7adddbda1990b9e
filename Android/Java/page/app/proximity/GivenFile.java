package app.proximity;

import android.app.Activity;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.provider.OpenableColumns;
import android.util.Base64;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A file that another application opened with this one or shared with it; the page reads it. */
final class GivenFile {
  /** As the page's own limit for files. */
  private static final int LARGEST = 50 << 20;

  /** What is done with it. */
  interface Taker {
    void take(GivenFile file);
  }

  private final String name;
  private final String type;
  private final byte[] bytes;
  private final boolean isTooLarge;

  private GivenFile(String name, String type, byte[] bytes, boolean isTooLarge) {
    this.name = name;
    this.type = type;
    this.bytes = bytes;
    this.isTooLarge = isTooLarge;
  }

  /** Reads what an intent gives, on a thread of its own; an intent that gives nothing is left alone. */
  static void read(Activity activity, Intent intent, Taker taker) {
    boolean isShared = Intent.ACTION_SEND.equals(intent.getAction());
    if (!isShared && !Intent.ACTION_VIEW.equals(intent.getAction())) return;
    Uri uri = isShared ? (Uri) intent.getParcelableExtra(Intent.EXTRA_STREAM) : intent.getData();
    String text = intent.getStringExtra(Intent.EXTRA_TEXT);
    if (uri == null && text == null) return;
    String type = intent.getType() == null ? "" : intent.getType();
    new Thread(() -> taker.take(uri == null ? of(text) : of(activity, uri, type))).start();
  }

  private static GivenFile of(String text) {
    return new GivenFile("text.txt", "text/plain", text.getBytes(StandardCharsets.UTF_8), false);
  }

  private static GivenFile of(Activity activity, Uri uri, String type) {
    // Only what another application offers: a path could name a file of ours.
    if (!"content".equals(uri.getScheme())) return new GivenFile("", type, new byte[0], false);
    String name = name(activity, uri);
    try (InputStream in = activity.getContentResolver().openInputStream(uri)) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      byte[] part = new byte[1 << 16];
      for (int count; in != null && (count = in.read(part)) > 0; ) {
        all.write(part, 0, count);
        if (all.size() > LARGEST) return new GivenFile(name, type, new byte[0], true);
      }
      return new GivenFile(name, type, all.toByteArray(), false);
    } catch (IOException | SecurityException e) {
      return new GivenFile(name, type, new byte[0], false);
    }
  }

  private static String name(Activity activity, Uri uri) {
    String[] columns = {OpenableColumns.DISPLAY_NAME};
    try (Cursor cursor = activity.getContentResolver().query(uri, columns, null, null, null)) {
      if (cursor != null && cursor.moveToFirst() && cursor.getString(0) != null) return cursor.getString(0);
    } catch (RuntimeException e) {
      // Whoever offers the file does not know its name: the end of its address stands for it.
    }
    String last = uri.getLastPathSegment();
    return last == null ? "" : last;
  }

  String json() {
    return Permissions.json("name", name, "type", type, "isTooLarge", isTooLarge,
        "base64", Base64.encodeToString(bytes, Base64.NO_WRAP)).toString();
  }
}
