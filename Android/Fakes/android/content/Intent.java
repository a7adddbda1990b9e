package android.content;

import android.net.Uri;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

public class Intent {
  public static final String ACTION_LOCKED_BOOT_COMPLETED = "android.intent.action.LOCKED_BOOT_COMPLETED";
  public static final String ACTION_BOOT_COMPLETED = "android.intent.action.BOOT_COMPLETED";
  public static final String ACTION_MY_PACKAGE_REPLACED = "android.intent.action.MY_PACKAGE_REPLACED";
  public static final String ACTION_TIME_CHANGED = "android.intent.action.TIME_SET";
  private String action;
  private Uri data;
  private String type;
  private Class<?> component;
  /** The package and the class of a screen of another application. */
  private String elsewhere;
  private final Map<String, Object> extras = new HashMap<>();

  public Intent() {}

  public Intent(String action) {
    this.action = action;
  }

  public Intent(String action, Uri data) {
    this.action = action;
    this.data = data;
  }

  public Intent(Context context, Class<?> component) {
    this.component = component;
  }

  public Intent(Intent other) {
    action = other.action;
    data = other.data;
    type = other.type;
    component = other.component;
    elsewhere = other.elsewhere;
    extras.putAll(other.extras);
  }

  public Intent setClassName(String owner, String name) {
    elsewhere = owner + "/" + name;
    return this;
  }

  public Intent setType(String type) {
    this.type = type;
    return this;
  }

  public String getType() {
    return type;
  }

  public android.os.Parcelable getParcelableExtra(String name) {
    return (android.os.Parcelable) extras.get(name);
  }

  public Intent setPackage(String owner) {
    return this;
  }

  public String elsewhere() {
    return elsewhere;
  }

  public String className() {
    return component.getName();
  }

  /** Returns true if the system treats both as equal; extras are not compared. */
  public boolean filterEquals(Intent other) {
    return Objects.equals(action, other.action) && Objects.equals(elsewhere, other.elsewhere) && Objects.equals(component, other.component)
        && Objects.equals(String.valueOf(data), String.valueOf(other.data));
  }

  public int filterHashCode() {
    return Objects.hash(action, component, String.valueOf(data));
  }

  public String getAction() {
    return action;
  }

  public Uri getData() {
    return data;
  }

  public Intent setAction(String action) {
    this.action = action;
    return this;
  }

  public Intent setData(Uri data) {
    this.data = data;
    return this;
  }

  public Intent addFlags(int flags) {
    return this;
  }

  public Intent putExtra(String name, int value) {
    extras.put(name, value);
    return this;
  }

  public Intent putExtra(String name, String value) {
    extras.put(name, value);
    return this;
  }

  public String getStringExtra(String name) {
    return (String) extras.get(name);
  }

  public Intent putExtra(String name, boolean value) {
    extras.put(name, value);
    return this;
  }

  public Intent putExtras(Intent other) {
    extras.putAll(other.extras);
    return this;
  }

  public int getIntExtra(String name, int otherwise) {
    return (Integer) extras.getOrDefault(name, otherwise);
  }

  public boolean getBooleanExtra(String name, boolean otherwise) {
    return (Boolean) extras.getOrDefault(name, otherwise);
  }
}
