package app.proximity;

import android.app.Activity;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.provider.OpenableColumns;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A file that another application opened with this one or shared with it. It is copied to the application's cache, where the page reads it
 * once, as a stream. The whole file is never in the memory of the process that watches.
 */
final class GivenFile {
  /** The size limit in bytes: half of the page's own limit, since the watch needs memory, too. */
  static final int LARGEST = 50 << 20;

  private static final String FOLDER = "given";

  /** Receives a file that was given. */
  interface Taker {
    void take(GivenFile file);
  }

  private final String name;
  private final String type;
  /** Null if the file could not be read or is too large, and after it was read or has ended. */
  private File copy;
  private final String address;
  private final boolean isTooLarge;

  private GivenFile(String name, String type, File copy, boolean isTooLarge) {
    this.name = name;
    this.type = type;
    this.copy = copy;
    this.isTooLarge = isTooLarge;
    address = copy == null ? "" : "/" + FOLDER + "/" + copy.getName();
  }

  /** Copies the file or text of an intent, on a thread of its own. Ignores an intent without either. */
  static void read(Activity activity, Intent intent, Taker taker) {
    boolean isShared = Intent.ACTION_SEND.equals(intent.getAction());
    if (!isShared && !Intent.ACTION_VIEW.equals(intent.getAction())) return;
    Uri uri = isShared ? (Uri) intent.getParcelableExtra(Intent.EXTRA_STREAM) : intent.getData();
    String text = intent.getStringExtra(Intent.EXTRA_TEXT);
    if (uri == null && text == null) return;
    String type = intent.getType() == null ? "" : intent.getType();
    new Thread(() -> taker.take(uri == null ? of(activity, text) : of(activity, uri, type))).start();
  }

  /** Removes copies that an earlier process has left. */
  static void tidy(Activity activity) {
    File[] left = folder(activity).listFiles((in, name) -> true);
    if (left != null) for (File each : left) each.delete();
  }

  private static File folder(Activity activity) {
    return new File(activity.getCacheDir(), FOLDER);
  }

  private static GivenFile of(Activity activity, String text) {
    return copied(activity, "text.txt", "text/plain", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static GivenFile of(Activity activity, Uri uri, String type) {
    // Only content of another application is accepted: a path could name a file of this application.
    if (!"content".equals(uri.getScheme())) return new GivenFile("", type, null, false);
    String name = name(activity, uri);
    try (InputStream in = activity.getContentResolver().openInputStream(uri)) {
      return copied(activity, name, type, in);
    } catch (IOException | SecurityException e) {
      return new GivenFile(name, type, null, false);
    }
  }

  private static GivenFile copied(Activity activity, String name, String type, InputStream in) {
    File copy = null;
    boolean isWhole = false;
    try {
      folder(activity).mkdirs();
      copy = File.createTempFile(FOLDER, "", folder(activity));
      boolean isTooLarge = false;
      try (FileOutputStream out = new FileOutputStream(copy)) {
        byte[] part = new byte[1 << 16];
        long length = 0;
        for (int count; !isTooLarge && in != null && (count = in.read(part)) > 0; ) {
          length += count;
          isTooLarge = length > LARGEST;
          if (!isTooLarge) out.write(part, 0, count);
        }
      }
      isWhole = !isTooLarge;
      return new GivenFile(name, type, isWhole ? copy : null, isTooLarge);
    } catch (IOException | SecurityException e) {
      return new GivenFile(name, type, null, false);
    } finally {
      if (copy != null && !isWhole) copy.delete();
    }
  }

  private static String name(Activity activity, Uri uri) {
    String[] columns = {OpenableColumns.DISPLAY_NAME};
    try (Cursor cursor = activity.getContentResolver().query(uri, columns, null, null, null)) {
      if (cursor != null && cursor.moveToFirst() && cursor.getString(0) != null) return cursor.getString(0);
    } catch (RuntimeException e) {
      // The provider does not know the file's name, so the last part of its address is used.
    }
    String last = uri.getLastPathSegment();
    return last == null ? "" : last;
  }

  /** Returns the description for the page, with the address at which it reads the file, as from a server. */
  String json() {
    return Permissions.json("name", name, "type", type, "isTooLarge", isTooLarge, "most_mb", LARGEST >> 20, "address", address).toString();
  }

  /** Returns the answer to the one request for the file; null if another file is requested, or this one was requested before. */
  WebResourceResponse answer(WebResourceRequest request) {
    if (!PageFiles.HOST.equals(request.getUrl().getHost()) || !"GET".equals(request.getMethod())) return null;
    if (address.isEmpty() || !address.equals(request.getUrl().getPath())) return null;
    File read = take();
    if (read == null) return null;
    try {
      Map<String, String> headers = new HashMap<>();
      headers.put("Content-Length", Long.toString(read.length()));
      headers.put("Cache-Control", "no-store");
      // A foreign page must not run at this origin, since it would have the bridge.
      headers.put("Content-Disposition", "attachment");
      headers.put("X-Content-Type-Options", "nosniff");
      return new WebResourceResponse("application/octet-stream", null, 200, "OK", headers, new FileInputStream(read) {
        @Override public void close() throws IOException {
          super.close();
          read.delete();
        }
      });
    } catch (IOException e) {
      read.delete();
      return null;
    }
  }

  private synchronized File take() {
    File taken = copy;
    copy = null;
    return taken;
  }

  /** Ends the file: nothing reads it any more. */
  void end() {
    File left = take();
    if (left != null) left.delete();
  }
}
