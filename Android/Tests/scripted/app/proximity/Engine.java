package app.proximity;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * A small engine to test the Java code around it. Zones are circles that ring on entry, repeat, can be closed and can sleep. It
 * gives the same guarantees as the real engine: it writes before it reports, reads a journal that was cut short, and repeats
 * reports that were not acknowledged.
 */
final class Engine {
  /** The zones, set by each test: latitude, longitude, radius in m. */
  static double[][] zones = {};
  static boolean isArmed = true;
  static String soundName = "";
  /** The kinds of all inputs in this process, in order. */
  static List<Integer> heard = new ArrayList<>();
  /** The errors of all positions in the inputs; -1 if not stated. */
  static List<Double> told_m = new ArrayList<>();
  static int flags = -1;
  /** The positions, by their time of measurement, that were accepted permanently while reporting was on. */
  static TreeSet<Long> accepted = new TreeSet<>();

  private static final long CYCLE_MS = 10_000;
  private static TreeMap<Long, Entry> ringing = new TreeMap<>();
  private static TreeMap<Long, Entry> untold = new TreeMap<>();
  private static boolean[] isInside = {};
  private static long number;
  private static long entries;
  private static boolean isCut;
  private static List<byte[]> journal = new ArrayList<>();
  private static List<byte[]> commands = new ArrayList<>();
  private static byte[] left = {0, 0, 0, 0};
  private static boolean isReporting;
  private static boolean isSending;
  private static boolean mayWait;
  private static int failures;
  /** Positions of the last input, accepted with the next input: by then all commands for them were carried out. */
  private static List<Long> lately = new ArrayList<>();

  private Engine() {}

  /** An event: an alarm began (0), ended (2) or was closed (10), or all events up to a number were acknowledged (11). */
  private static final class Entry {
    int what;
    long number;
    long zone;
    boolean isClosed;
    long repeat_ms;
  }

  static byte[] open(byte[] snapshot, byte[] bytes) {
    forget();
    int damaged = 0;
    try {
      if (snapshot.length > 0) {
        if (!read(snapshot)) throw new IOException("damaged");
      }
      read(bytes);
    } catch (IOException e) {
      forget();
      damaged = 1;
    }
    if (isCut || snapshot.length == 0) commands.add(replace());
    commands.add(ringing());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(damaged);
    byte[] list = answer();
    out.write(list, 0, list.length);
    return out.toByteArray();
  }

  private static void forget() {
    ringing = new TreeMap<>();
    untold = new TreeMap<>();
    isInside = new boolean[zones.length];
    number = 0;
    entries = 0;
    isCut = false;
    isReporting = false;
    isSending = false;
    lines = new StringBuilder();
    mayWait = false;
    failures = 0;
    lately = new ArrayList<>();
    journal = new ArrayList<>();
    commands = new ArrayList<>();
    heard = new ArrayList<>();
    told_m = new ArrayList<>();
  }

  /** Reads entries: length, what, number, zone, checksum. @return true if all could be read. */
  private static boolean read(byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; at += 25) {
      if (at + 25 > bytes.length) {
        isCut = true;
        return false;
      }
      CRC32 crc = new CRC32();
      crc.update(bytes, at, 17);
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, at, 25));
      Entry entry = new Entry();
      entry.what = in.readUnsignedByte();
      entry.number = in.readLong();
      entry.zone = in.readLong();
      if (in.readLong() != crc.getValue()) {
        isCut = true;
        return false;
      }
      apply(entry);
    }
    return true;
  }

  private static void apply(Entry entry) {
    entries++;
    if (entry.what == 0 || entry.what == 2) {
      number = Math.max(number, entry.number);
      untold.put(entry.number, entry);
      isInside[(int) entry.zone] = entry.what == 0;
    }
    if (entry.what == 0) {
      entry.repeat_ms = Clock.now() + CYCLE_MS;
      ringing.put(entry.zone, entry);
    }
    if (entry.what == 2) ringing.remove(entry.zone);
    if (entry.what == 10 && ringing.containsKey(entry.zone)) ringing.get(entry.zone).isClosed = true;
    if (entry.what == 11) untold.headMap(entry.number, true).clear();
    if (entry.what == 13) lately.add(entry.number);
    if (entry.what == 12) number = entry.number;
  }

  private static Entry record(int what, long number, long zone) {
    Entry entry = new Entry();
    entry.what = what;
    entry.number = number;
    entry.zone = zone;
    apply(entry);
    journal.add(bytes(entry));
    return entry;
  }

  private static byte[] bytes(Entry entry) {
    return write(out -> {
      byte[] body = write(each -> {
        each.writeByte(entry.what);
        each.writeLong(entry.number);
        each.writeLong(entry.zone);
      });
      CRC32 crc = new CRC32();
      crc.update(body);
      out.write(body);
      out.writeLong(crc.getValue());
    });
  }

  static byte[] handle(byte[] input) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(input))) {
      long now = in.readLong();
      in.readLong();
      int kind = in.readUnsignedByte();
      heard.add(kind);
      accepted.addAll(lately);
      lately.clear();
      switch (kind) {
        case 1:
          in.readUnsignedByte();
          in.readUnsignedByte();
          flags = in.readUnsignedByte();
          for (Entry entry : untold.values()) commands.add(tell(entry.what, entry, now));
          watch();
          break;
        case 9:
          in.readUnsignedByte();
          flags = in.readUnsignedByte();
          break;
        case 3: positions(in, now); break;
        case 16:
          isReporting = in.readUnsignedByte() != 0;
          mayWait = isReporting;
          break;
        case 17:
          isSending = false;
          int outcome = in.readUnsignedByte();
          if (outcome != 1) mayWait = true;
          failures = outcome == 0 || outcome == 3 ? failures + 1 : 0;
          break;
        case 8: repeat(now); break;
        case 13: {
          int command = in.readUnsignedByte();
          long alarm = in.readLong();
          for (Entry each : new ArrayList<>(ringing.values())) {
            if (each.number != alarm) continue;
            if (command == 2) record(10, 0, each.zone);
            if (command == 3 || command == 5) commands.add(tell(2, record(2, ++number, each.zone), now));
          }
          commands.add(ringing());
          break;
        }
        case 14: {
          long told = in.readLong();
          if (!untold.headMap(told, true).isEmpty()) record(11, told, 0);
          break;
        }
        default: break;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    send();
    plan();
    return answer();
  }

  /** Starts a report if possible; after a failure, only with every tenth input. */
  private static void send() {
    if (!isReporting || !mayWait || isSending || failures > 0 && heard.size() % 10 != 0) return;
    isSending = true;
    mayWait = false;
    commands.add(new byte[] {25});
  }

  /** Handles a page's request, "arm" or "disarm", and returns the request as the answer. */
  static byte[] ask(byte[] request) {
    isArmed = new String(request, StandardCharsets.UTF_8).equals("arm");
    watch();
    plan();
    left = answer();
    return request;
  }

  static boolean isWatching(long now_ms) {
    return isArmed && zones.length > 0;
  }

  static byte[] commands() {
    byte[] answer = left;
    left = new byte[] {0, 0, 0, 0};
    return answer;
  }

  // The same rules as in the real engine. `RulesTest` compares both with the same expected values.

  static int reportOutcome(int status) {
    if (status >= 200 && status < 300) return 1;
    return status < 1 || status >= 500 || status == 408 || status == 429 ? 0 : 3;
  }

  static int reportFileBytes() {
    return 65_536;
  }

  static int reportFiles() {
    return 100;
  }

  static long soundLength(long since_ms, boolean isUntilClosed) {
    if (isUntilClosed) return 600_000;
    return since_ms < 0 ? 5_000 : Math.max(2_500, Math.min(15_000, since_ms / 2));
  }

  static int loudness(long since_ms) {
    return (int) Math.round(1_000_000 * Math.pow(0.1, 1 - Math.min(1, since_ms / 20_000.0)));
  }

  /** This engine's journal has no places to move. */
  static byte[] moved(byte[] journal) {
    if (journal.length <= 4) throw new IllegalArgumentException("nothing of it can be read");
    return ("moved " + journal.length).getBytes(StandardCharsets.UTF_8);
  }

  private static void watch() {
    if (!isArmed) {
      commands.add(new byte[] {11});
      commands.add(write(out -> {
        out.writeByte(14);
        out.writeInt(0);
      }));
      return;
    }
    commands.add(write(out -> {
      out.writeByte(10);
      out.writeLong(1_000);
      out.writeDouble(-1);
      out.writeByte(1);
    }));
    commands.add(write(out -> {
      out.writeByte(14);
      out.writeInt(zones.length);
      for (int i = 0; i < zones.length; i++) {
        out.writeLong(i);
        for (double field : zones[i]) out.writeDouble(field);
        out.writeByte(1);
        out.writeByte(1);
      }
    }));
  }

  private static void positions(DataInputStream in, long now) throws IOException {
    in.readUnsignedByte();
    for (int left = in.readInt(); left > 0; left--) {
      double latitude = in.readDouble();
      double longitude = in.readDouble();
      told_m.add(in.readDouble());
      long measured = in.readLong();
      in.skipBytes(24 + 17);
      if (isReporting) {
        record(13, measured, 0);
        lines.append("{\"measured_at\":").append(measured).append("}\n");
        mayWait = true;
      }
      for (int i = 0; i < zones.length; i++) {
        double north = (latitude - zones[i][0]) * 111_195;
        double east = (longitude - zones[i][1]) * 111_195 * Math.cos(Math.toRadians(latitude));
        boolean is = Math.hypot(north, east) <= zones[i][2];
        if (is == isInside[i]) continue;
        if (is) {
          commands.add(tell(0, record(0, ++number, i), now));
        } else {
          long begun = ringing.containsKey((long) i) ? ringing.get((long) i).number : 0;
          Entry entry = record(2, ++number, i);
          commands.add(tell(2, entry, now, begun));
        }
        commands.add(ringing());
      }
    }
  }

  private static void repeat(long now) {
    for (Entry entry : ringing.values()) {
      if (entry.repeat_ms > now) continue;
      entry.repeat_ms = now + CYCLE_MS;
      commands.add(tell(1, entry, now));
    }
  }

  private static void plan() {
    long next = -1;
    for (Entry entry : ringing.values()) next = next < 0 ? entry.repeat_ms : Math.min(next, entry.repeat_ms);
    long at = next;
    commands.add(write(out -> {
      out.writeByte(19);
      out.writeLong(at);
    }));
  }

  private static byte[] tell(int what, Entry entry, long now) {
    return tell(what, entry, now, entry.number);
  }

  private static byte[] tell(int what, Entry entry, long now, long alarm) {
    return write(out -> {
      out.writeByte(30);
      out.writeLong(entry.number);
      out.writeByte(what);
      out.writeLong(alarm);
      out.writeLong(entry.zone);
      out.writeByte(0);
      out.writeLong(now);
      out.writeDouble(0);
      text(out, "Zone " + entry.zone);
      text(out, soundName);
      text(out, "");
    });
  }

  private static byte[] ringing() {
    return write(out -> {
      out.writeByte(31);
      out.writeInt(ringing.size());
      for (Entry entry : ringing.values()) {
        out.writeLong(entry.number);
        out.writeLong(entry.zone);
        out.writeByte(0);
        out.writeLong(Clock.now());
        out.writeByte(entry.isClosed ? 1 : 0);
        text(out, "Zone " + entry.zone);
        text(out, soundName);
      }
    });
  }

  private static byte[] replace() {
    byte[] snapshot = write(out -> {
      Entry last = new Entry();
      last.what = 12;
      last.number = number;
      out.write(bytes(last));
      for (Entry entry : ringing.values()) {
        out.write(bytes(entry));
        if (!entry.isClosed) continue;
        Entry closed = new Entry();
        closed.what = 10;
        closed.zone = entry.zone;
        out.write(bytes(closed));
      }
      Entry told = new Entry();
      told.what = 11;
      told.number = untold.isEmpty() ? number : untold.firstKey() - 1;
      out.write(bytes(told));
      for (Entry entry : untold.values()) if (entry.what == 2) out.write(bytes(entry));
    });
    return write(out -> {
      out.writeByte(2);
      out.writeInt(snapshot.length);
      out.write(snapshot);
    });
  }

  private static StringBuilder lines = new StringBuilder();

  /** Returns the commands: first lines to report, then journal entries to write, then the others. */
  private static byte[] answer() {
    return write(out -> {
      int keeping = journal.isEmpty() ? 0 : 1;
      out.writeInt(commands.size() + keeping + (lines.length() > 0 ? 1 : 0));
      if (lines.length() > 0) {
        out.writeByte(24);
        text(out, lines.toString());
        lines = new StringBuilder();
      }
      if (entries > 8 && keeping > 0) {
        entries = 0;
        out.write(replace());
      } else if (keeping > 0) {
        byte[] all = write(each -> {
          for (byte[] entry : journal) each.write(entry);
        });
        out.writeByte(1);
        out.writeInt(all.length);
        out.write(all);
      }
      for (byte[] command : commands) out.write(command);
      journal = new ArrayList<>();
      commands = new ArrayList<>();
    });
  }

  private interface Fields {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] write(Fields fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      fields.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
