package app.proximity;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import android.content.ContentResolver;
import android.content.Intent;
import android.net.Uri;
import android.view.ViewGroup;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Before;
import org.junit.Test;

/** Tests files that other applications give to the page: a stream from the page's own origin, readable once, then deleted. */
public class GivenFileTest {
  private static final String OFFERED = "content://files.example/document/zones.geojson";
  private Stage stage;
  private MainActivity activity;
  private WebView web;

  @Before public void begin() {
    stage = new Stage(36);
    stage.phone.isVisible = true;
    ContentResolver.OFFERED.clear();
    activity = new MainActivity();
    activity.onCreate(null);
    stage.phone.settle();
    web = (WebView) ((ViewGroup) activity.content).children.get(0);
  }

  /** Returns a stream of so many bytes, which count up. */
  private static InputStream bytes(long length) {
    return new InputStream() {
      private long at;

      @Override public int read() {
        return at < length ? (int) (at++ & 0xff) : -1;
      }

      @Override public int read(byte[] part, int from, int count) {
        int most = (int) Math.min(count, length - at);
        for (int i = 0; i < most; i++) part[from + i] = (byte) at++;
        return most == 0 ? -1 : most;
      }
    };
  }

  /** Opens a file from another application. The page is notified and requests the file, as its scripts do. */
  private String give(InputStream in) {
    ContentResolver.OFFERED.put(OFFERED, () -> in);
    web.scripts.clear();
    activity.onNewIntent(new Intent("android.intent.action.VIEW", Uri.parse(OFFERED)).setType("application/geo+json"));
    while (web.scripts.stream().noneMatch(each -> each.contains("onfile"))) {
      stage.phone.settle();
      Thread.onSpinWait();
    }
    return ((Bridge) web.bridge).takeFile();
  }

  private WebResourceResponse get(String path, String method) {
    return web.client.shouldInterceptRequest(web, new PageRequest("https://proximity.invalid" + path, method, Collections.emptyMap()));
  }

  private static String address(String json) {
    Matcher matcher = Pattern.compile("\"address\":\"(.*?)\"").matcher(json.replace("\\/", "/"));
    assertTrue(json, matcher.find());
    return matcher.group(1);
  }

  private int copies() {
    String[] names = new File(stage.phone.files, "cache/given").list();
    return names == null ? 0 : names.length;
  }

  private static long count(InputStream in) throws IOException {
    byte[] part = new byte[4_096];
    long total = 0;
    for (int count; (count = in.read(part)) > 0; total += count) {
      for (int i = 0; i < count; i++) if (part[i] != (byte) (total + i)) throw new AssertionError("byte " + (total + i));
    }
    return total;
  }

  @Test public void aLargeFileIsReadAsAStreamOnceAndIsGoneAfterwards() throws IOException {
    String told = give(bytes(GivenFile.LARGEST));
    assertTrue("the bridge carries no bytes: " + told.length(), told.length() < 300);
    assertEquals(1, copies());
    WebResourceResponse response = get(address(told), "GET");
    assertEquals(200, response.status);
    assertEquals("application/octet-stream", response.type);
    assertEquals("nosniff", response.headers.get("X-Content-Type-Options"));
    assertEquals(Integer.toString(GivenFile.LARGEST), response.headers.get("Content-Length"));
    assertEquals(GivenFile.LARGEST, count(response.data));
    response.data.close();
    assertEquals(0, copies());
    assertEquals("once", 404, get(address(told), "GET").status);
    assertEquals("", ((Bridge) web.bridge).takeFile());
  }

  @Test public void aLargerOneIsNotKept() {
    String told = give(bytes(GivenFile.LARGEST + 1L));
    assertTrue(told, told.contains("\"isTooLarge\":true"));
    assertEquals("", address(told));
    assertEquals(0, copies());
  }

  @Test public void oneThatEndsEarlyIsNotKept() {
    String told = give(new InputStream() {
      @Override public int read() throws IOException {
        throw new IOException("the other application has gone");
      }
    });
    assertEquals("", address(told));
    assertEquals(0, copies());
  }

  @Test public void theNextFileTakesTheOthersPlace() throws IOException {
    String first = address(give(bytes(10)));
    String second = address(give(bytes(20)));
    assertEquals(404, get(first, "GET").status);
    WebResourceResponse response = get(second, "GET");
    assertEquals(20, count(response.data));
    response.data.close();
    assertEquals(0, copies());
  }

  @Test public void nothingElseIsReadByThatWay() {
    String address = address(give(bytes(10)));
    for (String other : new String[] {"/given/", "/given/../given/x", address + "x", "/given"}) assertEquals(other, 404, get(other, "GET").status);
    assertEquals(405, get(address, "POST").status);
    assertNotNull("and it is still there", get(address, "GET").data);
  }

  @Test public void whatAProcessOfBeforeLeftIsRemoved() {
    give(bytes(10));
    assertEquals(1, copies());
    new MainActivity().onCreate(null);
    assertEquals(0, copies());
  }

  @Test public void aPathOfOursIsNotRead() {
    web.scripts.clear();
    activity.onNewIntent(new Intent("android.intent.action.VIEW", Uri.parse("file:///data/data/app.proximity/files/watch/1.snapshot")));
    while (web.scripts.stream().noneMatch(each -> each.contains("onfile"))) {
      stage.phone.settle();
      Thread.onSpinWait();
    }
    assertEquals("", address(((Bridge) web.bridge).takeFile()));
    assertEquals(0, copies());
  }
}
