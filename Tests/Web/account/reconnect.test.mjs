// The pauses between two tries to find a lost server again, by a simulated clock.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

const minute_ms = 60_000;

/** A page whose server is away. `tries` are their times, in ms since it was loaded. */
async function lost(visibilityState) {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const page = new EventTarget();
  globalThis.document = Object.assign(new EventTarget(), { visibilityState });
  globalThis.addEventListener = page.addEventListener.bind(page);
  const tries = [];
  const server = Object.assign(new EventTarget(), {
    state: 'offline',
    look: async () => tries.push(Date.now()),
  });
  const sync = Object.assign(new EventTarget(), { state: 'done' });
  const live = Object.assign(new EventTarget(), { isOpen: false, consider() {} });
  const { Reconnect } = await import('../../../Web/scripts/server/reconnect.js');
  new Reconnect(server, sync, live);
  const pass = async (ms) => {
    for (const end = Date.now() + ms; Date.now() < end;) {
      mock.timers.tick(250);
      // The next try is planned when this one has ended.
      await new Promise(setImmediate);
    }
  };
  return { server, tries, page, pass };
}

const gaps = (times) => times.slice(1).map((time, index) => time - times[index]);

for (const [visibility, longest_ms] of [
  ['visible', 15_000],
  ['hidden', minute_ms],
])
  test(`a ${visibility} page tries at most ${longest_ms / 1000} s apart, a quarter more or less`, async () => {
    const { tries, pass } = await lost(visibility);
    await pass(20 * minute_ms);
    assert.ok(tries[0] <= 2_750, `the first try: ${tries[0]} ms`);
    const longest = Math.max(...gaps(tries));
    assert.ok(longest <= 1.25 * longest_ms + 250 && longest > 0.75 * longest_ms, `the longest pause: ${longest} ms`);
  });

test('a hidden page tries at once when it is shown or the network is back, and no more once the server answers', async () => {
  const { server, tries, page, pass } = await lost('hidden');
  await pass(20 * minute_ms);
  for (const say of [
    () => {
      document.visibilityState = 'visible';
      document.dispatchEvent(new Event('visibilitychange'));
    },
    () => page.dispatchEvent(new Event('online')),
  ]) {
    const before = Date.now();
    say();
    await new Promise(setImmediate);
    assert.equal(tries.at(-1), before);
  }
  server.state = 'out';
  server.dispatchEvent(new Event('change'));
  const count = tries.length;
  await pass(5 * minute_ms);
  assert.equal(tries.length, count);
});
