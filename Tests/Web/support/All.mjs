// What only a run of everything (`make test-all`, which sets ALL) does.

/** For a test's `skip`: why it does not run now, or false. */
export const inAll = !process.env.ALL && 'only with ALL=1, as `make test-all` runs it';
