package android.media;

public final class AudioAttributes {
  public int usage;

  public static class Builder {
    private final AudioAttributes made = new AudioAttributes();

    public Builder setUsage(int usage) {
      made.usage = usage;
      return this;
    }

    public Builder setContentType(int type) {
      return this;
    }

    public AudioAttributes build() {
      return made;
    }
  }
}
