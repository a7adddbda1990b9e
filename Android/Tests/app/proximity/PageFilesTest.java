package app.proximity;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.content.res.AssetManager;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.Before;
import org.junit.Test;

/** Tests the page's files from the APK, with byte ranges of RFC 9110, as a WebView reads them. */
public class PageFilesTest {
  private final byte[] map = new byte[1_000];
  private final PageFiles files = new PageFiles(new AssetManager());

  @Before public void begin() {
    new Random(1).nextBytes(map);
    AssetManager.FILES.clear();
    AssetManager.FILES.put("map/world.pmtiles", map);
    AssetManager.FILES.put("index.html", new byte[] {1, 2, 3});
    AssetManager.FILES.put("engine.wasm", new byte[] {4});
  }

  private WebResourceResponse get(String address, String range) {
    Map<String, String> headers = new HashMap<>();
    if (range != null) headers.put("range", range);
    return files.answer(new PageRequest(address, "GET", headers));
  }

  /**
  * Returns the bytes that the page gets: Chromium's AndroidStreamReaderURLLoader skips to the range in the stream that it is
  * given, and ends after it.
  */
  private byte[] part(String range) throws Exception {
    WebResourceResponse response = get(PageFiles.HOME + "map/world.pmtiles", range);
    assertEquals(206, response.status);
    String[] ends = range.substring("bytes=".length()).split("-", 2);
    int length = response.data.available();
    int from = ends[0].isEmpty() ? Math.max(0, length - Integer.parseInt(ends[1])) : Integer.parseInt(ends[0]);
    int to = ends[0].isEmpty() || ends[1].isEmpty() ? length - 1 : Math.min(length - 1, Integer.parseInt(ends[1]));
    assertTrue("ERR_REQUESTED_RANGE_NOT_SATISFIABLE", from <= to);
    assertEquals(from, response.data.skip(from));
    byte[] bytes = Arrays.copyOf(bytes(response), to - from + 1);
    assertEquals(Integer.toString(bytes.length), response.headers.get("Content-Length"));
    assertEquals("bytes " + from + "-" + to + "/1000", response.headers.get("Content-Range"));
    return bytes;
  }

  private static byte[] bytes(WebResourceResponse response) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] part = new byte[7];
    for (int count; (count = response.data.read(part)) > 0; ) out.write(part, 0, count);
    return out.toByteArray();
  }

  @Test public void theRootIsThePage() throws Exception {
    WebResourceResponse response = get(PageFiles.HOME, null);
    assertEquals(200, response.status);
    assertEquals("text/html", response.type);
    assertArrayEquals(new byte[] {1, 2, 3}, bytes(response));
  }

  @Test public void typesAreThoseThatAPageNeeds() {
    assertEquals("application/wasm", get(PageFiles.HOME + "engine.wasm", null).type);
    assertEquals("text/javascript", PageFiles.type("a/b.js"));
    assertEquals("application/manifest+json", PageFiles.type("manifest.webmanifest"));
    assertEquals("application/octet-stream", PageFiles.type("map/world.pmtiles"));
  }

  @Test public void everyRangeIsThoseBytes() throws Exception {
    Random random = new Random(2);
    for (int i = 0; i < 500; i++) {
      int from = random.nextInt(1_000);
      int to = from + random.nextInt(1_200);
      assertArrayEquals(Arrays.copyOfRange(map, from, Math.min(to, 999) + 1), part("bytes=" + from + "-" + to));
    }
    assertArrayEquals(Arrays.copyOfRange(map, 990, 1_000), part("bytes=-10"));
    assertArrayEquals(Arrays.copyOfRange(map, 990, 1_000), part("bytes=990-"));
    assertArrayEquals(map, part("bytes=-5000"));
  }

  @Test public void whatIsNoRangeOrCannotBeHad() throws Exception {
    String address = PageFiles.HOME + "map/world.pmtiles";
    for (String range : new String[] {"bytes=5-2", "bytes=-", "lines=1-2", "bytes=1-2,5-6", "bytes=a-b", ""}) {
      WebResourceResponse response = get(address, range);
      assertEquals(range, 200, response.status);
      assertArrayEquals(map, bytes(response));
    }
    for (String range : new String[] {"bytes=1000-", "bytes=4000-5000", "bytes=-0"}) {
      WebResourceResponse response = get(address, range);
      assertEquals(range, 416, response.status);
      assertEquals("bytes */1000", response.headers.get("Content-Range"));
    }
  }

  @Test public void nothingElseIsServed() {
    assertEquals(404, get(PageFiles.HOME + "missing.js", null).status);
    assertEquals(404, get(PageFiles.HOME + "../secret", null).status);
    assertNull("another origin is the network's", get("https://example.org/index.html", null));
  }
}
