package app.proximity;

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;

/** Sends lines of positions to a Proximity server, in one request. */
final class HttpPost implements Reports.Way {
  private static final int PATIENCE_MS = 30_000;

  @Override public int send(String address, String token, byte[] lines) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(address + "/api/v1/fixes").openConnection();
    try {
      connection.setConnectTimeout(PATIENCE_MS);
      connection.setReadTimeout(PATIENCE_MS);
      connection.setInstanceFollowRedirects(false); // The token is for this server alone.
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Authorization", "Bearer " + token);
      connection.setRequestProperty("Content-Type", "application/x-ndjson");
      connection.setDoOutput(true);
      connection.setFixedLengthStreamingMode(lines.length);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(lines);
      }
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }
}
