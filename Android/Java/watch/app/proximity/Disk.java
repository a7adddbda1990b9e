package app.proximity;

import android.system.ErrnoException;
import android.system.Os;
import android.system.OsConstants;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;

/** The few file operations that the watch needs. Tests replace the disk by one that fails at any of them. */
class Disk {
  /** Returns the whole file; empty if there is none. */
  byte[] read(File file) throws IOException {
    if (!file.exists()) return new byte[0];
    byte[] bytes = new byte[(int) file.length()];
    try (FileInputStream in = new FileInputStream(file)) {
      int filled = 0;
      while (filled < bytes.length) {
        int count = in.read(bytes, filled, bytes.length - filled);
        if (count < 0) throw new IOException(file + " became shorter while it was read");
        filled += count;
      }
    }
    return bytes;
  }

  /** Replaces the contents of a file; the bytes are on the disk when this returns. */
  void write(File file, byte[] bytes) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file)) {
      out.write(bytes);
      out.getFD().sync();
    }
  }

  /** Appends to a file; the bytes are on the disk when this returns. A failure leaves the file as it was. */
  void append(File file, byte[] bytes) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file, "rw")) {
      long before = out.length();
      try {
        out.seek(before);
        out.write(bytes);
        out.getFD().sync();
      } catch (IOException e) {
        out.setLength(before);
        throw e;
      }
    }
  }

  /** Renames a file atomically, replacing a file of that name. */
  void rename(File from, File to) throws IOException {
    if (!from.renameTo(to)) throw new IOException(from + " cannot be renamed to " + to.getName());
  }

  void delete(File file) throws IOException {
    if (file.exists() && !file.delete()) throw new IOException(file + " cannot be deleted");
  }

  /** Makes the names in a folder durable against a loss of power. */
  void syncFolder(File folder) throws IOException {
    try {
      FileDescriptor descriptor = Os.open(folder.getPath(), OsConstants.O_RDONLY, 0);
      try {
        Os.fsync(descriptor);
      } finally {
        Os.close(descriptor);
      }
    } catch (ErrnoException e) {
      throw new IOException(e);
    }
  }
}
