package org.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

public class JSONObject {
  private final Map<String, Object> values = new LinkedHashMap<>();

  public JSONObject put(String name, Object value) throws JSONException {
    values.put(name, value);
    return this;
  }

  static String text(Object value) {
    return value instanceof String ? '"' + ((String) value).replace("\\", "\\\\").replace("\"", "\\\"") + '"' : String.valueOf(value);
  }

  @Override public String toString() {
    return values.entrySet().stream().map(each -> text(each.getKey()) + ":" + text(each.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
