package app.proximity;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import android.content.res.AssetManager;
import android.net.Uri;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.Before;
import org.junit.Test;

/** The page's files out of the APK, with byte ranges as RFC 9110 has them. */
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
    return files.answer(new WebResourceRequest() {
      @Override public Uri getUrl() {
        return Uri.parse(address);
      }

      @Override public String getMethod() {
        return "GET";
      }

      @Override public Map<String, String> getRequestHeaders() {
        return headers;
      }

      public boolean hasGesture() {
        return false;
      }

      public boolean isForMainFrame() {
        return false;
      }

      public boolean isRedirect() {
        return false;
      }
    });
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
    String address = PageFiles.HOME + "map/world.pmtiles";
    Random random = new Random(2);
    for (int i = 0; i < 500; i++) {
      int from = random.nextInt(1_000);
      int to = from + random.nextInt(1_200);
      WebResourceResponse response = get(address, "bytes=" + from + "-" + to);
      assertEquals(206, response.status);
      int last = Math.min(to, 999);
      assertEquals("bytes " + from + "-" + last + "/1000", response.headers.get("Content-Range"));
      assertEquals(Integer.toString(last - from + 1), response.headers.get("Content-Length"));
      assertArrayEquals(Arrays.copyOfRange(map, from, last + 1), bytes(response));
    }
    assertArrayEquals(Arrays.copyOfRange(map, 990, 1_000), bytes(get(address, "bytes=-10")));
    assertArrayEquals(Arrays.copyOfRange(map, 990, 1_000), bytes(get(address, "bytes=990-")));
    assertArrayEquals(map, bytes(get(address, "bytes=-5000")));
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
