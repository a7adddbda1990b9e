package app.proximity;

/** Thrown where the process is killed. */
final class Killed extends Error {
  private static final long serialVersionUID = 1;
}
