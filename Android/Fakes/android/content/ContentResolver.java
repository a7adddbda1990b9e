package android.content;

import android.database.Cursor;
import android.net.Uri;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The contents that a test offers as those of other applications, by their addresses. Their names cannot be queried. */
public class ContentResolver {
  public static final Map<String, Supplier<InputStream>> OFFERED = new HashMap<>();

  public final InputStream openInputStream(Uri uri) throws FileNotFoundException {
    Supplier<InputStream> offered = OFFERED.get(uri.toString());
    if (offered == null) throw new FileNotFoundException(uri.toString());
    return offered.get();
  }

  public final OutputStream openOutputStream(Uri uri, String mode) throws FileNotFoundException {
    throw new FileNotFoundException(uri.toString());
  }

  public final Cursor query(Uri uri, String[] columns, String selection, String[] arguments, String order) {
    return null;
  }
}
