// Tests that run only with all others (`make test-all`, which sets ALL).

/** For a test's `skip`: the reason why it does not run, or false. */
export const inAll = !process.env.ALL && 'only with ALL=1, as `make test-all` runs it';
