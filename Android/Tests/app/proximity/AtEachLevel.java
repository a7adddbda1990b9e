package app.proximity;

import java.util.List;
import org.junit.Before;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** Runs a class's tests at each API level that the code distinguishes, each on a new stage with an armed zone 500 m away. */
@RunWith(Parameterized.class)
public abstract class AtEachLevel {
  @Parameterized.Parameters(name = "API {0}")
  public static List<Object[]> levels() {
    return Stage.levels();
  }

  @Parameterized.Parameter public int level;
  Stage stage;

  @Before public void beginStage() {
    Engine.zones = new double[][] {{Stage.north(500)[0], Stage.HOME[1], 100}};
    Engine.isArmed = true;
    stage = new Stage(level);
  }
}
