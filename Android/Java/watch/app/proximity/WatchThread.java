package app.proximity;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.PowerManager;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.json.JSONObject;

/** The thread of the process's only watch. All events of the system, the page and people are posted to it. */
final class WatchThread {
  /** An action on the watch. */
  interface Action {
    void run(Watch watch);
  }

  /** A query of the watch. */
  private interface Question {
    byte[] answer(Watch watch);
  }

  /** Notified of changes that the page may want to show. */
  interface Observer {
    void changed();
  }

  private static final long LONGEST_WAKE_MS = 30_000;

  private static Handler thread;
  private static Watch watch;
  private static volatile Observer observer;

  private WatchThread() {}

  /** Posts an action. Makes the watch first if this process has none yet. From any thread; returns at once. */
  static synchronized void post(Context context, int start, Action action) {
    Context application = context.getApplicationContext();
    if (thread == null) {
      HandlerThread made = new HandlerThread("watch");
      made.start();
      thread = new Handler(made.getLooper());
    }
    thread.post(() -> {
      if (watch == null) {
        watch = new Watch(application, thread);
        watch.begin(start);
      }
      action.run(watch);
    });
  }

  /** Posts an action, and keeps the phone awake and the receiver's broadcast unfinished until it was carried out. */
  static void postAwake(Context context, BroadcastReceiver receiver, int start, Action action) {
    PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    PowerManager.WakeLock lock = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "proximity:event");
    lock.acquire(LONGEST_WAKE_MS);
    BroadcastReceiver.PendingResult result = receiver.goAsync();
    post(context, start, made -> {
      try {
        made.tryAgain();
        action.run(made);
      } finally {
        if (result != null) result.finish();
        if (lock.isHeld()) lock.release();
      }
    });
  }

  /** Answers a request of the page. Not from the main thread, since it waits for the answer. */
  static byte[] ask(Context context, byte[] request) {
    return call(context, made -> made.ask(request));
  }

  /** Returns all stored journals. Not from the main thread. */
  static byte[] history(Context context) {
    return call(context, Watch::history);
  }

  /** Returns the report of the first run, as JSON in UTF-8. Not from the main thread. */
  static byte[] firstRun(Context context, JSONObject permissions) {
    return call(context, made -> made.firstRun.report(permissions).getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] call(Context context, Question question) {
    byte[][] answer = {{}};
    CountDownLatch isAnswered = new CountDownLatch(1);
    post(context, Input.PERSON, made -> {
      try {
        answer[0] = question.answer(made);
      } finally {
        isAnswered.countDown();
      }
    });
    try {
      isAnswered.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answer[0];
  }

  /** Sets the observer while the page exists; null when the page is closed. */
  static void observe(Observer page) {
    observer = page;
  }

  static void tellPage() {
    Observer page = observer;
    if (page != null) page.changed();
  }
}
