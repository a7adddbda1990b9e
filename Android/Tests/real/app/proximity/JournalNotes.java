package app.proximity;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads an exported journal for what the phone was asked for: the notes in it, as the engine writes them. */
final class JournalNotes {
  int launches;
  int requests;
  int answered;
  int crossings;
  /** As they stand at the end; -1 where there is none. */
  long interval_ms = -1;
  double filter_m = -1;
  long wake_ms = -1;
  final Set<Long> fences = new HashSet<>();
  final List<Integer> sources = new ArrayList<>();
  /** Each with the time that its sensor stated. */
  final List<String> motions = new ArrayList<>();
  final List<Double> batteries = new ArrayList<>();
  private long lastEntry;

  JournalNotes(byte[] export) throws IOException {
    DataInputStream in = in(export);
    if (in.readInt() != 0x50584a31) throw new IOException("no PXJ1");
    while (in.available() > 0) {
      int kind = in.readUnsignedByte();
      byte[] part = bytes(in);
      if (kind == 2) readJournal(in(part));
    }
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return bytes;
  }

  /** Up to an entry that a kill cut short. */
  private void readJournal(DataInputStream in) throws IOException {
    while (in.available() > 0) {
      try {
        int length = in.readInt();
        in.readInt(); // The sum is the engine's affair.
        byte[] body = new byte[length];
        in.readFully(body);
        readEntry(in(body));
      } catch (EOFException e) {
        return;
      }
    }
  }

  private void readEntry(DataInputStream in) throws IOException {
    long number = in.readLong();
    long at_ms = in.readLong();
    boolean isNew = number > lastEntry;
    if (isNew && lastEntry > 0 && number != lastEntry + 1) throw new IOException("entries before " + number + " are missing");
    if (in.readUnsignedByte() != 5 || !isNew) {
      lastEntry = Math.max(lastEntry, number);
      return;
    }
    lastEntry = number;
    for (int left = in.readInt(); left > 0; left--) readNote(in, at_ms);
    if (in.available() > 0) throw new IOException("bytes left in entry " + number);
  }

  private void readNote(DataInputStream in, long at_ms) throws IOException {
    int kind = in.readUnsignedByte();
    switch (kind) {
      case 0:
        in.readUnsignedByte();
        launches += 1;
        interval_ms = -1;
        wake_ms = -1;
        fences.clear();
        break;
      case 1: break;
      case 2:
        in.readUnsignedByte();
        filter_m = in.readDouble();
        in.readUnsignedByte();
        interval_ms = in.readLong();
        break;
      case 3: interval_ms = -1; break;
      case 4:
        in.readUnsignedByte();
        in.readLong();
        requests += 1;
        break;
      case 5: answered += 1; break;
      case 6: break;
      case 7:
        for (int left = in.readInt(); left > 0; left--) {
          fences.add(in.readLong());
          in.skipBytes(26);
        }
        for (int left = in.readInt(); left > 0; left--) fences.remove(in.readLong());
        break;
      case 8: case 9: {
        in.readLong();
        crossings += 1;
        break;
      }
      case 10: fences.remove(in.readLong()); break;
      case 11: wake_ms = in.readUnsignedByte() == 0 ? -1 : in.readLong(); break;
      case 12: if (wake_ms <= at_ms) wake_ms = -1; break;
      case 13: case 14: in.readUnsignedByte(); break;
      case 16: case 18: in.readUnsignedByte(); break;
      case 17:
        String motion = in.readUnsignedByte() == MotionWatch.STILL ? "still " : "moving ";
        motions.add(motion + (in.readUnsignedByte() == 0 ? -1 : in.readLong()));
        break;
      case 19:
        sources.add(in.readUnsignedByte());
        break;
      case 20:
        batteries.add(in.readDouble());
        in.readUnsignedByte();
        break;
      default: throw new IOException("there is no note " + kind);
    }
  }
}
