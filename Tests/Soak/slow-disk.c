// A disk that is slow to say that something is written: loaded before a database (LD_PRELOAD), it makes every fsync wait
// some milliseconds, and one in twenty a good part of a second.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_a_little(void) {
  // Of the process's own: a server forks for each connection.
  static __thread unsigned int state;
  struct timespec now;
  if (state == 0) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (unsigned int)now.tv_nsec | 1;
  }
  long milliseconds = rand_r(&state) % 20 == 0 ? 200 + rand_r(&state) % 400 : 1 + rand_r(&state) % 8;
  struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

#define SLOW(name)                                   \
  int name(int file) {                               \
    static int (*real)(int);                         \
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, #name); \
    wait_a_little();                                 \
    return real(file);                               \
  }
SLOW(fsync)
SLOW(fdatasync)
