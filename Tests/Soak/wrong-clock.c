// A clock that is an hour ahead: loaded before a program (LD_PRELOAD), it tells it another time of day. Spans of time pass
// as they do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static const time_t ahead = 3600;

static int real_clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return real(clock, now);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = real_clock_gettime(clock, now);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead;
  return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec found;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &found) != 0) return -1;
  now->tv_sec = found.tv_sec;
  now->tv_usec = found.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec found;
  if (clock_gettime(CLOCK_REALTIME, &found) != 0) return -1;
  if (now) *now = found.tv_sec;
  return found.tv_sec;
}

// Whoever waits until a time of day has it from the clock above, and the system goes by its own. A time by the clock that
// counts from the start of the machine is far from either.
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!real)
    real = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(RTLD_NEXT,
                                                                                        "pthread_cond_timedwait");
  struct timespec now, own = *until;
  if (real_clock_gettime(CLOCK_REALTIME, &now) == 0 && own.tv_sec > now.tv_sec + ahead / 2) own.tv_sec -= ahead;
  return real(condition, mutex, &own);
}
