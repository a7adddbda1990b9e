// What the clocks on the wall say here, as the engine wants it: changes of the offset to UTC.

/**
 * Every offset that holds between two times, each from when it does: `[[from_ms, seconds], …]`.
 * @param {(at: number) => number} offset seconds east of Greenwich at a time; of this device unless told
 */
export function offsets(from, to, offset = (at) => -60 * new Date(at).getTimezoneOffset()) {
  const found = [[from, offset(from)]];
  const step = 6 * 3_600_000;
  for (let at = from; at < to; at += step) {
    const next = Math.min(at + step, to);
    if (offset(next) === found.at(-1)[1]) continue;
    // Clocks change on a full second; no country changes them twice in six hours.
    let [before, after] = [at, next];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === found.at(-1)[1]) before = middle;
      else after = middle;
    }
    found.push([after, offset(after)]);
  }
  return found;
}
