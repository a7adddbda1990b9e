package app.proximity;

import android.content.res.AssetManager;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers the page's requests from the APK, as an https origin of its own: without network, and with byte ranges. */
final class PageFiles {
  /** A name that no server can ever have (RFC 6761). */
  static final String HOST = "proximity.invalid";
  static final String HOME = "https://" + HOST + "/";

  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{0,15})-([0-9]{0,15})");
  private static final Map<String, String> TYPES = new HashMap<>();

  static {
    String[] types = {"html text/html", "js text/javascript", "mjs text/javascript", "css text/css",
        "json application/json", "geojson application/geo+json", "webmanifest application/manifest+json",
        "wasm application/wasm", "svg image/svg+xml", "png image/png", "jpg image/jpeg", "webp image/webp",
        "ico image/x-icon", "wav audio/wav", "ogg audio/ogg", "mp3 audio/mpeg", "woff2 font/woff2", "txt text/plain"};
    for (String type : types) TYPES.put(type.substring(0, type.indexOf(' ')), type.substring(type.indexOf(' ') + 1));
  }

  private final AssetManager assets;

  PageFiles(AssetManager assets) {
    this.assets = assets;
  }

  /** Returns the answer to a request for this origin; null for other origins, which the network answers. */
  WebResourceResponse answer(WebResourceRequest request) {
    if (!HOST.equals(request.getUrl().getHost())) return null;
    String method = request.getMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) return failure(405, "Method Not Allowed", new HashMap<>());
    String path = request.getUrl().getPath();
    if (path == null || path.isEmpty()) path = "/";
    if (path.endsWith("/")) path += "index.html";
    if (path.contains("..")) return failure(404, "Not Found", new HashMap<>());
    try {
      return file(path, header(request, "Range"));
    } catch (IOException e) {
      return failure(404, "Not Found", new HashMap<>());
    }
  }

  private WebResourceResponse file(String path, String range) throws IOException {
    InputStream all = assets.open(path.substring(1), AssetManager.ACCESS_RANDOM);
    // For an asset, <code>available()</code> is the whole length, compressed or not.
    long length = all.available();
    Map<String, String> headers = new HashMap<>();
    headers.put("Accept-Ranges", "bytes");
    headers.put("Cache-Control", "no-cache");
    long[] part = range == null ? null : part(range, length);
    if (part == null) {
      headers.put("Content-Length", Long.toString(length));
      return new WebResourceResponse(type(path), encoding(path), 200, "OK", headers, all);
    }
    if (part[0] > part[1]) {
      all.close();
      headers.put("Content-Range", "bytes */" + length);
      return failure(416, "Range Not Satisfiable", headers);
    }
    // The WebView itself reads the part out of the whole (Chromium's AndroidStreamReaderURLLoader).
    headers.put("Content-Range", "bytes " + part[0] + "-" + part[1] + "/" + length);
    headers.put("Content-Length", Long.toString(part[1] - part[0] + 1));
    return new WebResourceResponse(type(path), encoding(path), 206, "Partial Content", headers, all);
  }

  /**
   * Returns the first and last requested byte; the first is greater than the last if the range is empty. Null, if it is not a single range,
   * means the whole.
   */
  static long[] part(String range, long length) {
    Matcher matcher = RANGE.matcher(range.trim());
    if (!matcher.matches() || matcher.group(1).isEmpty() && matcher.group(2).isEmpty()) return null;
    if (matcher.group(1).isEmpty()) {
      long last = Long.parseLong(matcher.group(2));
      return last == 0 ? new long[] {1, 0} : new long[] {Math.max(0, length - last), length - 1};
    }
    long from = Long.parseLong(matcher.group(1));
    long to = matcher.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(matcher.group(2));
    if (to < from) return null; // Not a range at all (RFC 9110, 14.1.1).
    return from >= length ? new long[] {1, 0} : new long[] {from, Math.min(to, length - 1)};
  }

  private static String header(WebResourceRequest request, String name) {
    Map<String, String> headers = request.getRequestHeaders();
    if (headers == null) return null;
    for (Map.Entry<String, String> each : headers.entrySet()) {
      if (each.getKey().equalsIgnoreCase(name)) return each.getValue();
    }
    return null;
  }

  static String type(String path) {
    String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
    return type == null ? "application/octet-stream" : type;
  }

  private static String encoding(String path) {
    String type = type(path);
    return type.startsWith("text/") || type.endsWith("json") || type.endsWith("xml") ? "utf-8" : null;
  }

  private static WebResourceResponse failure(int status, String reason, Map<String, String> headers) {
    return new WebResourceResponse(
        "text/plain", "utf-8", status, reason, headers, new ByteArrayInputStream(new byte[0]));
  }
}
