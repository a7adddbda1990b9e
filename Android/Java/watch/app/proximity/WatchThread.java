package app.proximity;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.PowerManager;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.json.JSONObject;

/** The thread of the process's one watch: all that the system, the page and people do is handed over here. */
final class WatchThread {
  /** What to do with the watch. */
  interface Action {
    void run(Watch watch);
  }

  /** A question to the watch. */
  private interface Question {
    byte[] answer(Watch watch);
  }

  /** A change that the page may want to know of. */
  interface Observer {
    void changed();
  }

  private static final long LONGEST_WAKE_MS = 30_000;

  private static Handler thread;
  private static Watch watch;
  private static volatile Observer observer;

  private WatchThread() {}

  /** Makes the watch first where this process has none yet. From any thread; returns at once. */
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

  /** Keeps the phone awake, and a receiver's broadcast unfinished, until the action was carried out. */
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

  /** The page's request. Not from the main thread: it waits for the answer. */
  static byte[] ask(Context context, byte[] request) {
    return call(context, made -> made.ask(request));
  }

  /** All journals that are kept. Not from the main thread. */
  static byte[] history(Context context) {
    return call(context, Watch::history);
  }

  /** The report of the first run, as JSON in UTF-8. Not from the main thread. */
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

  /** The page, while it is there; null when it goes. */
  static void observe(Observer page) {
    observer = page;
  }

  static void tellPage() {
    Observer page = observer;
    if (page != null) page.changed();
  }
}
