package app.proximity;

import android.content.Context;
import android.content.Intent;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import phone.Phone;

/** The application on a fake phone. Tests open, leave, kill and restart it. */
final class Stage {
  static final int[] LEVELS = {24, 26, 29, 30, 31, 32, 33, 34, 35, 36, 37};
  static final double[] HOME = {50.74, 0.24};

  private static final Map<Field, Object> BEGINNING = new LinkedHashMap<>();

  final Phone phone;
  final Context context;

  Stage(int level) {
    this(level, folder());
  }

  Stage(int level, File files) {
    rememberBeginning();
    phone = new Phone(level, files, new File(System.getProperty("android"), "AndroidManifest.xml"),
        new File(System.getProperty("android"), "res"));
    context = phone.application;
    forget();
  }

  static File folder() {
    try {
      File folder = Files.createTempDirectory("proximity").toFile();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
      return folder;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void remove(File file) {
    File[] inside = file.listFiles();
    if (inside != null) for (File each : inside) remove(each);
    file.delete();
  }

  static List<Object[]> levels() {
    List<Object[]> levels = new ArrayList<>();
    for (int level : LEVELS) levels.add(new Object[] {level});
    return levels;
  }

  /** Remembers the initial values of all static variables, with which a new process begins. */
  private static void rememberBeginning() {
    if (!BEGINNING.isEmpty()) return;
    for (String name : new File(System.getProperty("classes"), "app/proximity").list()) {
      if (!name.endsWith(".class") || name.matches("(Engine|Clock|R)\\b.*")) continue;
      try {
        Class<?> each = Class.forName("app.proximity." + name.replace(".class", ""));
        for (Field field : each.getDeclaredFields()) {
          if (!Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers())) continue;
          field.setAccessible(true);
          BEGINNING.put(field, field.get(null));
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void forget() {
    try {
      for (Map.Entry<Field, Object> each : BEGINNING.entrySet()) each.getKey().set(null, each.getValue());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens the application. */
  Stage open() {
    phone.isVisible = true;
    WatchThread.post(context, Input.PERSON, watch -> watch.setForeground(true));
    phone.settle();
    return this;
  }

  /** Puts the application into the background. */
  Stage leave() {
    WatchThread.post(context, Input.PERSON, watch -> watch.setForeground(false));
    phone.settle();
    phone.isVisible = false;
    return this;
  }

  /** Does what the application does after a permission dialog, which does not stop the page. */
  void answerPermissions() {
    WatchThread.post(context, Input.PERSON, Watch::refresh);
    phone.settle();
  }

  /** Kills the process. */
  Stage kill() {
    phone.kill();
    forget();
    return this;
  }

  /** Restarts the service, as the system does. */
  Stage restart() {
    phone.restartSticky();
    phone.settle();
    return this;
  }

  Stage reboot() {
    phone.kill();
    forget();
    phone.reboot();
    phone.settle();
    return this;
  }

  /** Restarts the phone and leaves it locked. */
  Stage startLocked() {
    phone.kill();
    forget();
    phone.startLocked();
    phone.settle();
    return this;
  }

  Stage unlock() {
    phone.unlock();
    phone.settle();
    return this;
  }

  Stage update() {
    phone.kill();
    forget();
    phone.broadcast(Intent.ACTION_MY_PACKAGE_REPLACED);
    phone.settle();
    return this;
  }

  /** Sends a request of the page on another thread, as the WebView does, and returns the answer. */
  byte[] ask(byte[] request) {
    byte[][] answer = {null};
    Thread page = new Thread(() -> answer[0] = WatchThread.ask(context, request));
    page.start();
    while (page.isAlive()) {
      phone.settle();
      Thread.onSpinWait();
    }
    return answer[0];
  }

  /** Walks from one place to another, with a position every second. */
  void walk(double[] from, double[] to, int seconds) {
    for (int second = 1; second <= seconds; second++) {
      phone.run(1_000);
      double part = (double) second / seconds;
      phone.moveTo(from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1]), 8);
    }
  }

  /** Returns the place so many metres north of home. */
  static double[] north(double metres) {
    return new double[] {HOME[0] + metres / 111_195, HOME[1]};
  }

  boolean isTold(Trouble trouble) {
    return phone.notifications.containsKey(Notices.TROUBLE + ":" + trouble.ordinal());
  }
}
