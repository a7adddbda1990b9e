package app.proximity;

import android.util.Log;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the engine's commands and carries out each before the next is read. */
final class Commands {
  private Commands() {}

  static void carryOut(Watch watch, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int left = in.readInt(); left > 0; left--) carryOut(watch, in.readUnsignedByte(), in);
    } catch (IOException e) {
      throw new IllegalStateException("the engine's commands end early", e);
    }
  }

  private static void carryOut(Watch watch, int kind, DataInputStream in) throws IOException {
    switch (kind) {
      case 0: Log.e("Proximity", "the engine cannot read what it was told: " + in.readUnsignedByte()); break;
      case 1: watch.append(bytes(in)); break;
      case 2: watch.replace(bytes(in)); break;
      case 10: {
        long interval_ms = in.readLong();
        watch.positions.open(interval_ms, in.readDouble(), in.readUnsignedByte() != 0);
        break;
      }
      case 11: watch.positions.endSession(); break;
      case 12: {
        boolean isOnce = in.readUnsignedByte() != 0;
        long within_ms = in.readLong();
        watch.positions.request(isOnce, within_ms, in.readDouble(), in.readUnsignedByte() != 0);
        break;
      }
      case 13: watch.positions.endRequest(); break;
      case 14: watch.fences.lay(fences(in)); break;
      case 15: watch.tell(Input.fence(in.readLong(), Input.UNKNOWN)); break; // Android cannot say.
      case 16: case 17: in.readUnsignedByte(); break; // Android has no such services.
      case 18: watch.motion.set(in.readUnsignedByte() != 0); break;
      case 19: watch.wake.set(in.readLong()); break;
      case 20: watch.hold(true); break;
      case 21: watch.hold(false); break;
      case 22: {
        watch.notices.show(in.readUnsignedByte() == 0 ? Trouble.CANNOT_LOCATE : Trouble.WIFI_OFF);
        in.readLong();
        break;
      }
      case 23: watch.silent.set(in.readLong()); break;
      case 24: watch.reports.keep(bytes(in)); break;
      case 25: watch.reports.send(); break;
      case 30: {
        Told told = told(in);
        watch.ringer.tell(told);
        watch.told(told.number);
        break;
      }
      case 31: watch.ringer.keep(ringing(in)); break;
      default: throw new IOException("there is no command " + kind);
    }
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static Map<Long, Fences.Fence> fences(DataInputStream in) throws IOException {
    Map<Long, Fences.Fence> fences = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      long id = in.readLong();
      fences.put(id, new Fences.Fence(id, in.readDouble(), in.readDouble(), in.readDouble()));
      in.readUnsignedByte(); // Android tells of both, entering and leaving; the engine ignores what it did not want.
      in.readUnsignedByte();
    }
    return fences;
  }

  private static Told told(DataInputStream in) throws IOException {
    Told told = new Told();
    told.number = in.readLong();
    told.what = in.readUnsignedByte();
    told.alarm = in.readLong();
    told.zone = in.readLong();
    told.cause = in.readUnsignedByte();
    told.time_ms = in.readLong();
    told.distance_m = in.readDouble();
    told.zoneName = text(in);
    told.soundName = text(in);
    told.body = text(in);
    return told;
  }

  private static List<Ringing> ringing(DataInputStream in) throws IOException {
    List<Ringing> list = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      list.add(new Ringing(in.readLong(), in.readLong(), in.readUnsignedByte(), in.readLong(),
          in.readUnsignedByte() != 0, text(in), text(in)));
    }
    return list;
  }
}
