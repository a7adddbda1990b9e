import java.util.ArrayList;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.Result;

/** Runs test classes, and prints the numbers of passed and failed tests in the last line. */
public final class Run {
  private Run() {}

  public static void main(String[] names) throws ClassNotFoundException {
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) classes.add(Class.forName(name));
    JUnitCore core = new JUnitCore();
    core.addListener(new RunListener() {
      @Override public void testFailure(Failure failure) {
        System.out.println(failure.getTestHeader() + ": " + failure.getMessage());
        for (StackTraceElement each : failure.getException().getStackTrace()) {
          if (each.getClassName().startsWith("app.proximity")) System.out.println("  at " + each);
        }
      }

      @Override public void testAssumptionFailure(Failure failure) {}

      @Override public void testStarted(Description description) {}
    });
    Result result = core.run(classes.toArray(new Class<?>[0]));
    System.out.println(
        result.getRunCount() - result.getFailureCount() + " passed, " + result.getFailureCount() + " failed");
    System.exit(result.wasSuccessful() ? 0 : 1);
  }
}
