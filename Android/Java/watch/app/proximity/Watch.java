package app.proximity;

import android.app.NotificationManager;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.location.LocationManager;
import android.net.wifi.WifiManager;
import android.os.Build;
import android.os.Handler;
import android.os.PowerManager;
import java.io.File;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.EnumSet;

/**
 * The watch of this phone: tells the engine of events and carries out its commands, in order.
 *
 * <p>The process has one; everything here runs on {@link WatchThread}. The service keeps the process alive while something is watched or
 * the engine has an open request.
 */
final class Watch {
  /** The shortest interval at which the phone's state is read again with positions. */
  private static final long REFRESH_MS = 60_000;
  /** The time between two readings of the battery's charge. */
  private static final long BATTERY_MS = 900_000;
  private static final int NOTHING = -1;
  /** The troubles that a person switches on and off in the first run, to see them shown and withdrawn. */
  private static final EnumSet<Trouble> SWITCHED = EnumSet.of(Trouble.LOCATION_OFF, Trouble.SAVER);

  /** Tests replace it by a disk that fails. */
  static Disk disk = new Disk();

  final Context context;
  final Handler handler;
  final Notices notices;
  final Ringer ringer;
  final Positions positions;
  final Fences fences;
  final WakeAlarm wake;
  final SilenceAlarm silent;
  final MotionWatch motion;
  final Reports reports;
  final FirstRun firstRun;
  private final PowerManager.WakeLock hold;
  private final ArrayDeque<byte[]> inputs = new ArrayDeque<>();
  private WatchFiles files;
  private PhoneState state;
  private boolean isBusy;
  /** The value stored for a start with the phone locked; null before it was first stored by this process. */
  private Boolean isKeptAsWatching;
  /** The purpose for which the service was refused last, until the conditions change. */
  private int refused = NOTHING;
  private boolean isVisible;
  /** True if the phone has restarted and the application has not been opened since. */
  private boolean isAfterRestart;
  private long refreshed;
  private long lastTold;
  /** When the engine is told of the battery's charge next, for the journal, by the clock that cannot be set. */
  private long batteryDue = Long.MAX_VALUE;

  Watch(Context context, Handler handler) {
    this.context = context;
    this.handler = handler;
    notices = new Notices(context);
    ringer = new Ringer(this);
    positions = new Positions(this);
    fences = new Fences(this);
    wake = new WakeAlarm(this);
    silent = new SilenceAlarm(this);
    motion = new MotionWatch(this);
    reports = new Reports(this, disk);
    firstRun = new FirstRun(context);
    PowerManager power = (PowerManager) context.getSystemService(Context.POWER_SERVICE);
    hold = power.newWakeLock(PowerManager.PARTIAL_WAKE_LOCK, "proximity:watch");
    hold.setReferenceCounted(false);
  }

  /** Reads the stored state and continues from there. */
  void begin(int start) {
    LockedStartReceiver.takeBack(context);
    files = new WatchFiles(new File(context.getFilesDir(), "watch"), disk);
    byte[] opened = open();
    byte[] commands = new byte[opened.length - 1];
    System.arraycopy(opened, 1, commands, 0, commands.length);
    state = new PhoneState(context);
    // A screen is being opened and will report that after this method.
    isVisible = start == Input.PERSON;
    isAfterRestart = start == Input.REBOOT;
    firstRun.happened(FirstRun.Step.INSTALLED);
    isBusy = true;
    carryOut(commands);
    isBusy = false;
    listen();
    if (reports.isOn()) tell(Input.reporting(true));
    tell(Input.started(start, state, positions.lastKnown()));
    tellBattery();
    refresh();
    isVisible = false;
  }

  /** Opens the engine with what is stored. If a part of that is lost or unreadable, the person is told, and the rest counts. */
  private byte[] open() {
    byte[] opened = null;
    try {
      if (files.isWhole()) opened = Engine.open(files.snapshot(), files.journal());
    } catch (IOException e) {
      // As if it were damaged.
    }
    boolean isFirst = files.isEmpty();
    if (isFirst && LockedStartReceiver.isKept(context)) notices.show(Trouble.DAMAGED);
    if (opened != null && (opened[0] == 0 || isFirst)) return opened;
    notices.show(Trouble.DAMAGED);
    return Engine.open(new byte[0], files.history());
  }

  /** Registers for all broadcasts that announce a change of the phone's permissions or abilities. */
  private void listen() {
    IntentFilter filter = new IntentFilter(LocationManager.PROVIDERS_CHANGED_ACTION);
    filter.addAction(LocationManager.MODE_CHANGED_ACTION);
    filter.addAction(PowerManager.ACTION_POWER_SAVE_MODE_CHANGED);
    filter.addAction(PowerManager.ACTION_DEVICE_IDLE_MODE_CHANGED);
    filter.addAction(Intent.ACTION_BATTERY_LOW);
    filter.addAction(Intent.ACTION_BATTERY_OKAY);
    filter.addAction(Intent.ACTION_POWER_CONNECTED);
    filter.addAction(Intent.ACTION_POWER_DISCONNECTED);
    filter.addAction(WifiManager.WIFI_STATE_CHANGED_ACTION);
    filter.addAction(NotificationManager.ACTION_INTERRUPTION_FILTER_CHANGED);
    if (Build.VERSION.SDK_INT >= 28) {
      filter.addAction(NotificationManager.ACTION_APP_BLOCK_STATE_CHANGED);
      filter.addAction(NotificationManager.ACTION_NOTIFICATION_CHANNEL_BLOCK_STATE_CHANGED);
    }
    context.registerReceiver(new BroadcastReceiver() {
      @Override public void onReceive(Context context, Intent intent) {
        String action = intent.getAction();
        if (PowerManager.ACTION_DEVICE_IDLE_MODE_CHANGED.equals(action)) wake.renew();
        refresh();
        if (Intent.ACTION_POWER_CONNECTED.equals(action) || Intent.ACTION_POWER_DISCONNECTED.equals(action)) tellBattery();
      }
    }, filter, null, handler);
  }

  /** Answers a request of the page after all commands that follow from it were carried out. */
  byte[] ask(byte[] request) {
    byte[] answer = Engine.ask(request);
    isBusy = true;
    try {
      carryOut(Engine.commands());
    } finally {
      isBusy = false;
    }
    drain();
    return answer;
  }

  /** Returns all stored journals. */
  byte[] history() {
    return files.history();
  }

  /** Allows another attempt to start the service, because the system permits it for a moment. */
  void tryAgain() {
    refused = NOTHING;
  }

  /** Passes an input to the engine, and carries out its commands before the next input. */
  void tell(byte[] input) {
    inputs.add(input);
    if (Clock.uptime() >= batteryDue) addBattery();
    drain();
  }

  private void tellBattery() {
    addBattery();
    drain();
  }

  private void addBattery() {
    batteryDue = Clock.uptime() + BATTERY_MS;
    int percent = PhoneState.batteryPercent(context);
    if (percent >= 0 && percent <= 100) inputs.add(Input.battery(percent, PhoneState.isCharging(context)));
  }

  private void drain() {
    if (isBusy) return;
    isBusy = true;
    try {
      while (!inputs.isEmpty()) carryOut(Engine.handle(inputs.remove()));
    } finally {
      isBusy = false;
    }
    settle();
    WatchThread.tellPage();
  }

  /** Carries out commands in order, then reports to the engine which events were shown. */
  private void carryOut(byte[] commands) {
    Commands.carryOut(this, commands);
    if (lastTold > 0) inputs.add(Input.told(lastTold));
    lastTold = 0;
  }

  void append(byte[] bytes) {
    try {
      files.append(bytes);
      notices.takeBack(Trouble.STORAGE_FULL);
    } catch (IOException e) {
      // An alarm that rings without a record is better than none.
      notKept();
    }
  }

  void replace(byte[] bytes) {
    try {
      files.replace(bytes);
    } catch (IOException e) {
      notKept();
    }
  }

  private void notKept() {
    notices.show(Trouble.STORAGE_FULL);
    inputs.add(Input.notKept());
  }

  void told(long number) {
    lastTold = Math.max(lastTold, number);
  }

  void hold(boolean isWanted) {
    if (isWanted) hold.acquire();
    else if (hold.isHeld()) hold.release();
  }

  /** Records that a zone's alarm has rung. */
  void rang() {
    if (!isVisible) firstRun.happened(FirstRun.Step.RANG);
    if (!isVisible && isAfterRestart) firstRun.happened(FirstRun.Step.RESTARTED);
  }

  /** Carries out a person's answer: stops an alarm, lets it sleep or closes it. */
  void answer(int command, long alarm) {
    ringer.silence();
    if (ringer.endTest(alarm)) return;
    ringer.takeBack(alarm);
    tell(Input.command(command, alarm));
  }

  void setForeground(boolean isVisible) {
    this.isVisible = isVisible;
    refused = NOTHING;
    if (isVisible) notices.takeBack(Trouble.STOPPED);
    if (isVisible) isAfterRestart = false;
    refresh();
    tell(Input.foreground(isVisible));
  }

  /** Reads the phone's permissions and abilities again. The engine and the person are told of any change. */
  void refresh() {
    refreshed = Clock.uptime();
    PhoneState now = new PhoneState(context);
    if (!now.equals(state)) {
      refused = NOTHING;
      boolean isBack = now.isAuthorized && !state.isAuthorized || now.isPrecise && !state.isPrecise;
      state = now;
      if (isBack) positions.renew();
      tell(Input.capabilities(now));
    }
    EnumSet<Trouble> found = isWatching() ? Trouble.read(context) : EnumSet.noneOf(Trouble.class);
    // A page in view asks for these one after the other, and shows those that are refused.
    for (Trouble each : Trouble.ASKED) if (isVisible && !notices.isShown(each)) found.remove(each);
    if (state.isPrecise) firstRun.happened(FirstRun.Step.LOCATION);
    if (found.isEmpty() && isWatching()) firstRun.happened(FirstRun.Step.GRANTS);
    for (Trouble each : SWITCHED) {
      if (notices.isShown(each) && !found.contains(each) && isWatching()) firstRun.happened(FirstRun.Step.TROUBLE);
    }
    boolean wasRestricted = notices.isShown(Trouble.RESTRICTED);
    if (notices.show(found).contains(Trouble.NOTIFICATIONS_OFF)) ringer.signal();
    // Android removed the service from the foreground without notice, so it is started again.
    if (wasRestricted && !found.contains(Trouble.RESTRICTED) && WatchService.isRunning()) start(purpose());
  }

  void refreshSometimes() {
    if (Clock.uptime() - refreshed >= REFRESH_MS) refresh();
  }

  /**
   * True while something is watched or rings, or would be if the phone permitted it: the engine makes no requests while it may not watch.
   */
  boolean isWatching() {
    return Engine.isWatching(Clock.now()) || positions.isOn() || wake.isOn() || fences.isOn() || motion.isOn() || ringer.isOn();
  }

  /** True while the process is needed. */
  private boolean isNeeded() {
    return isWatching() || ringer.isTesting() || ringer.isSounding();
  }

  /** True if a sound now comes from a foreground service, or cannot. */
  boolean isSettled() {
    return WatchService.isRunning() || refused == purpose();
  }

  /**
   * Returns the purpose for which the service may run now. From Android 14 on, a service without access to positions may not start for
   * them, and the system ends a process that tries. A service that rings needs no positions.
   */
  int purpose() {
    boolean mayLocate = state.isGranted && (isVisible || state.mayStartInBackground);
    if (mayLocate || Build.VERSION.SDK_INT < 34) return WatchService.LOCATING;
    return ringer.isOn() || ringer.isTesting() || ringer.isSounding() ? WatchService.RINGING : WatchService.NONE;
  }

  /** Starts or stops the service so that it runs exactly while it is needed. If the system refuses it, the person is told. */
  void settle() {
    if (WatchService.isRunning()) ringer.settled();
    keepForLockedStart();
    if (WatchService.isLocating() && !isVisible && isWatching()) firstRun.happened(FirstRun.Step.WATCHING);
    int purpose = purpose();
    if (!isNeeded()) {
      WatchService.stop(context);
    } else if (WatchService.isLocating() || refused == purpose) {
      return; // Started in view, it has its positions also out of view.
    } else if (purpose == WatchService.NONE) {
      WatchService.stop(context);
      refused(purpose);
    } else if (!WatchService.isRunning(purpose)) {
      if (purpose == WatchService.RINGING) tellStopped();
      if (start(purpose)) refresh();
    }
  }

  private void keepForLockedStart() {
    boolean isWatching = isWatching();
    if (isKeptAsWatching != null && isKeptAsWatching == isWatching) return;
    isKeptAsWatching = isWatching;
    LockedStartReceiver.keep(context, isWatching);
  }

  private boolean start(int purpose) {
    try {
      WatchService.start(context, purpose);
      return true;
    } catch (IllegalStateException | SecurityException e) {
      refused(purpose);
      return false;
    }
  }

  /** Records that the service may not run in the foreground for this purpose now. Timers and fences continue; positions may not. */
  void refused(int purpose) {
    refused = purpose;
    tellStopped();
    if (isSettled()) ringer.settled();
  }

  private void tellStopped() {
    // Without permission, the missing permission is the trouble, and is shown separately.
    if (isWatching() && state.isGranted) notices.show(Trouble.STOPPED);
  }
}
