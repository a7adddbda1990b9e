package app.proximity;

import static org.junit.Assert.assertArrayEquals;

import android.location.Location;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.Test;

/** Tests the heights that the engine receives at each API level: above sea level if the phone knows that height. */
public class HeightTest extends AtEachLevel {
  /** Returns the reference of the height, the height and its error: the fields after the course. */
  private static double[] told(Location position) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(Input.positions(List.of(position), false)));
    in.skipBytes(17 + 5 + 7 * 8);
    double[] told = {in.readUnsignedByte(), in.readDouble(), in.readDouble()};
    assertArrayEquals("nothing behind it", new double[] {-1}, new double[] {in.read()}, 0);
    return told;
  }

  private static void says(double known, double height_m, double error_m, Location position) throws IOException {
    assertArrayEquals(new double[] {known, height_m, error_m}, told(position), 1e-6);
  }

  private static Location position() {
    Location position = new Location("gps");
    position.set(50.74, -0.04, 8, 1_000, 1_000_000_000);
    return position;
  }

  @Test public void overTheEllipsoidWithItsErrorWhereAndroidHasOne() throws IOException {
    Location position = position();
    says(0, 0, 0, position);
    position.height_m = 440;
    says(1, 440, 0, position);
    position.heightError_m = 4;
    if (level >= 26) says(3, 440, 4, position);
    else says(1, 440, 0, position);
  }

  @Test public void overTheSeaFirst() throws IOException {
    Location position = position();
    position.height_m = 440;
    position.heightError_m = 4;
    position.seaHeight_m = 393;
    if (level < 34) {
      says(level >= 26 ? 3 : 1, 440, level >= 26 ? 4 : 0, position);
      return;
    }
    says(5, 393, 0, position);
    position.seaHeightError_m = 6;
    says(7, 393, 6, position);
  }

  @Test public void noNumberIsNoHeight() throws IOException {
    for (double height_m : new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e12}) {
      Location position = position();
      position.height_m = height_m;
      says(0, 0, 0, position);
    }
    Location position = position();
    position.height_m = 440;
    position.heightError_m = Float.POSITIVE_INFINITY;
    says(1, 440, 0, position);
  }
}
