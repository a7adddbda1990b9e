package app.proximity;

import android.content.Context;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.PowerManager;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Sends positions to a server, if a person wants that. The engine decides which lines are kept and when they are sent. This class keeps
 * them on the disk until the server has them, and knows the server's address.
 */
final class Reports {
  // The outcomes of sending, as the engine is told them.
  static final int FAILED = 0;
  static final int SENT = 1;
  static final int SENT_IN_PART = 2;
  static final int REFUSED = 3;

  /** Makes a request. Tests use a server of their own. */
  interface Way {
    /** @return the HTTP status. */
    int send(String address, String token, byte[] lines) throws IOException;
  }

  static Way way = new HttpPost();

  private static final long LONGEST_WAKE_MS = 90_000;
  private static volatile String state = "{}";

  private final Watch watch;
  private final Disk disk;
  private final File folder;
  private final File settings;
  private final Outbox outbox;
  private final PowerManager.WakeLock awake;
  private Handler network;
  private String address = "";
  private String token = "";
  /** The number of times the server was changed. Outcomes of requests to an earlier server are ignored. */
  private int changes;
  private long sent_ms;
  /** The outcome of the last attempt; -1 before the first. */
  int last = -1;

  Reports(Watch watch, Disk disk) {
    this.watch = watch;
    this.disk = disk;
    folder = new File(watch.context.getFilesDir(), "reports");
    settings = new File(folder, "server");
    outbox = new Outbox(folder, disk);
    PowerManager power = (PowerManager) watch.context.getSystemService(Context.POWER_SERVICE);
    awake = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "proximity:report");
    awake.setReferenceCounted(false);
    try {
      String[] lines = new String(disk.read(settings), StandardCharsets.UTF_8).split("\n");
      if (lines.length == 2) {
        address = lines[0];
        token = lines[1];
      }
    } catch (IOException e) {
      watch.notices.show(Trouble.DAMAGED);
    }
    renew();
  }

  boolean isOn() {
    return !address.isEmpty();
  }

  /** Changes the server. Positions that wait for the previous server are deleted. */
  void change(String address, String token) {
    boolean isWanted = address.startsWith("https://") && !token.isEmpty() && !(address + token).contains("\n");
    String wanted = isWanted ? address : "";
    try {
      if (!wanted.equals(this.address)) outbox.clear();
      disk.write(new File(folder, "new"), (wanted + "\n" + (isWanted ? token : "")).getBytes(StandardCharsets.UTF_8));
      disk.rename(new File(folder, "new"), settings);
    } catch (IOException e) {
      watch.notices.show(Trouble.STORAGE_FULL);
      return;
    }
    this.address = wanted;
    this.token = isWanted ? token : "";
    changes += 1;
    last = -1;
    watch.tell(Input.reporting(isOn()));
    renew();
  }

  void keep(byte[] lines) {
    if (!isOn()) return;
    try {
      outbox.append(lines);
    } catch (IOException e) {
      watch.notices.show(Trouble.STORAGE_FULL);
    }
  }

  /** Sends the oldest file and tells the engine the outcome. */
  void send() {
    File file = outbox.oldest();
    byte[] lines;
    try {
      lines = file == null ? new byte[0] : disk.read(file);
    } catch (IOException e) {
      ended(file, changes, FAILED);
      return;
    }
    if (lines.length == 0) {
      ended(file, changes, SENT);
      return;
    }
    if (network == null) {
      HandlerThread thread = new HandlerThread("reports");
      thread.start();
      network = new Handler(thread.getLooper());
    }
    awake.acquire(LONGEST_WAKE_MS);
    String to = address;
    String with = token;
    int change = changes;
    network.post(() -> {
      int outcome = FAILED;
      try {
        outcome = Engine.reportOutcome(way.send(to, with, lines));
      } catch (IOException | RuntimeException e) {
        outcome = FAILED; // No network, or an address that is none.
      }
      int became = outcome;
      watch.handler.post(() -> ended(file, change, became));
    });
  }

  private void ended(File file, int change, int outcome) {
    if (awake.isHeld()) awake.release();
    if (change != changes) return; // Another server was chosen meanwhile: the engine was told.
    last = outcome;
    int became = outcome;
    if (outcome == SENT) {
      sent_ms = Clock.now();
      try {
        if (file != null) disk.delete(file);
        if (outbox.count() > 0) became = SENT_IN_PART;
      } catch (IOException e) {
        became = FAILED; // It is sent again: the server knows what it has.
      }
    }
    renew();
    watch.tell(Input.reported(became));
  }

  private void renew() {
    String problem = last == FAILED ? "network" : last == REFUSED ? "refused" : "";
    state = Permissions.json("address", address, "waiting", outbox.count(), "sent_ms", sent_ms, "problem", problem).toString();
  }

  /** Returns the state for the page. From any thread. */
  static String state() {
    return state;
  }
}
