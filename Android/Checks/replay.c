// Replays recorded traces in the library that a phone loads, called as Java calls it, and compares every byte with what the
// native engine answered. usage: replay LIBRARY TRACES
//
// LIBRARY/libtrace.so has the functions of WebModule, for the traces of `make compare`; LIBRARY/libproximity.so is the
// application's: a trace that has `phone-inputs` is told to it through a Java machine that consists of eight functions.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64 // On a processor of 32 bits, too: a folder may have entries with long numbers.
#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rowsAtOnce = 100, numbersInRow = 10 };

typedef struct {
  unsigned char *bytes;
  size_t count;
} Bytes;

// Found before the C library's: nothing is drawn at random here.
void arc4random_buf(void *buffer, size_t count) { memset(buffer, 7, count); }

static void fail(const char *what, const char *name) {
  printf("FAIL  %s %s\n", what, name);
  exit(1);
}

static int exists(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (file) fclose(file);
  return file != NULL;
}

static Bytes read_file(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot read", path);
  fseek(file, 0, SEEK_END);
  Bytes read = {NULL, (size_t)ftell(file)};
  rewind(file);
  read.bytes = malloc(read.count + 1);
  if (fread(read.bytes, 1, read.count, file) != read.count) fail("cannot read", path);
  fclose(file);
  return read;
}

static void append(Bytes *to, const void *bytes, size_t count) {
  to->bytes = realloc(to->bytes, to->count + count + 1);
  memcpy(to->bytes + to->count, bytes, count);
  to->count += count;
}

static void same(const char *trace, const char *what, Bytes here, Bytes native) {
  size_t at = 0;
  while (at < here.count && at < native.count && here.bytes[at] == native.bytes[at]) at++;
  if (here.count == native.count && at == here.count) return;
  printf("FAIL  %s: %s differ from byte %zu on: %zu bytes here, %zu natively\n", trace, what, at, here.count, native.count);
  exit(1);
}

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found) fail("the library has no", name);
  return found;
}

// The Java machine: an array is a Bytes, and an exception is only noted.
static const char *thrown;
static int locked;
static void *find_class(void *env, const char *name) { return (void *)name; }
static int throw_new(void *env, void *type, const char *message) { thrown = message; return 0; }
static int array_length(void *env, Bytes *array) { return (int)array->count; }
static void *new_array(void *env, int count) {
  Bytes *array = malloc(sizeof(Bytes));
  array->bytes = calloc((size_t)count + 1, 1);
  array->count = (size_t)count;
  return array;
}
static void within(Bytes *array, int start, int count) {
  if (start < 0 || count < 0 || (size_t)start + (size_t)count > array->count) fail("bytes beyond", "an array were touched");
}
static void get_region(void *env, Bytes *array, int start, int count, void *to) {
  within(array, start, count);
  memcpy(to, array->bytes + start, (size_t)count);
}
static void set_region(void *env, Bytes *array, int start, int count, const void *from) {
  within(array, start, count);
  memcpy(array->bytes + start, from, (size_t)count);
}
static int enter(void *env, void *object) { locked++; return 0; }
static int leave(void *env, void *object) { locked--; return 0; }
static void unknown(void) { fail("the library called a function", "of Java that is not expected"); }

static void *table[233];
static void **machine = table;
static void begin_machine(void) {
  for (int index = 0; index < 233; index++) table[index] = (void *)unknown;
  table[6] = (void *)find_class;
  table[14] = (void *)throw_new;
  table[171] = (void *)array_length;
  table[176] = (void *)new_array;
  table[200] = (void *)get_region;
  table[208] = (void *)set_region;
  table[217] = (void *)enter;
  table[218] = (void *)leave;
}
static char engine_class;
typedef Bytes *(*Call1)(void *, void *, Bytes *);
typedef Bytes *(*Call2)(void *, void *, Bytes *, Bytes *);

// Takes an answer; NULL where an exception was thrown.
static Bytes *answered(Bytes *answer) {
  if (locked) fail("the library", "kept the lock of the class");
  if ((answer == NULL) != (thrown != NULL)) fail("there is neither an answer nor", "an exception, or both");
  thrown = NULL;
  return answer;
}

static uint32_t number_at(Bytes from, size_t at) {
  const unsigned char *b = from.bytes + at;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

// Inputs as they are, each behind its length; answers in the same form.
static void replay_phone(void *library, const char *trace, const char *folder) {
  Call2 open = (Call2)function(library, "Java_app_proximity_Engine_open");
  Call1 handle = (Call1)function(library, "Java_app_proximity_Engine_handle");
  Bytes snapshot = read_file(folder, "phone-snapshot"), journal = {calloc(1, 1), 0}, inputs = read_file(folder, "phone-inputs");
  Bytes answers = {NULL, 0};
  Bytes *answer = answered(open(&machine, &engine_class, &snapshot, &journal));
  if (!answer) fail("the snapshot was refused", trace);
  append(&answers, answer->bytes, answer->count);
  size_t count = 0;
  for (size_t at = 0; at + 4 <= inputs.count; count++) {
    Bytes input = {inputs.bytes + at + 4, number_at(inputs, at)};
    answer = answered(handle(&machine, &engine_class, &input));
    if (!answer) fail("an input was refused", trace);
    append(&answers, answer->bytes, answer->count);
    at += 4 + input.count;
  }
  same(trace, "commands", answers, read_file(folder, "phone-answers"));
  printf("ok    %s: %zu inputs of the phone, %zu bytes of commands\n", trace, count, answers.count);
}

// What Java must never send is answered, never ended by.
static void mistakes(void *library) {
  Call1 handle = (Call1)function(library, "Java_app_proximity_Engine_handle"), ask = (Call1)function(library, "Java_app_proximity_Engine_ask");
  Call2 open = (Call2)function(library, "Java_app_proximity_Engine_open");
  Bytes *(*commands)(void *, void *) = (Bytes * (*)(void *, void *)) function(library, "Java_app_proximity_Engine_commands");
  Bytes none = {calloc(1, 1), 0}, vast = {calloc(1, 1), 65u << 20};
  if (answered(handle(&machine, &engine_class, &none)) || answered(commands(&machine, &engine_class))) fail("an engine", "answered unopened");
  if (answered(open(&machine, &engine_class, NULL, &none))) fail("an engine", "opened nothing");
  if (answered(open(&machine, &engine_class, &vast, &none))) fail("an engine", "took 65 MB");
  if (!answered(open(&machine, &engine_class, &none, &none))) fail("an engine", "did not begin");
  if (answered(handle(&machine, &engine_class, NULL))) fail("an engine", "handled nothing");
  uint64_t state = 1;
  int count = 20000;
  for (int round = 0; round < count; round++) {
    unsigned char bytes[200];
    Bytes some = {bytes, 0};
    state = state * 6364136223846793005u + 1442695040888963407u;
    some.count = (state >> 33) % sizeof bytes;
    for (size_t at = 0; at < some.count; at++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bytes[at] = (unsigned char)(state >> 40);
    }
    // A time that is one, and a kind that is one, so that what follows is looked at.
    if (some.count > 17 && round % 2) {
      memcpy(bytes, "\0\0\1\x98\0\0\0\0\0\0\0\0\0\1\0\0", 16);
      bytes[16] = (unsigned char)(1 + bytes[16] % 15);
    }
    if (!answered(handle(&machine, &engine_class, &some)) || !answered(ask(&machine, &engine_class, &some))) fail("random bytes", "were not answered");
    if (round % 1000 == 999 && !answered(open(&machine, &engine_class, &some, &some))) fail("random files", "were not answered");
  }
  printf("ok    mistakes: no array, too long an array, %d random ones\n", count);
}

static void replay_trace(void *library, const char *trace, const char *folder) {
  int (*start)(uint32_t, uint32_t, const void *, int) = function(library, "start");
  int (*insert)(const void *, int) = function(library, "insert");
  int (*advance)(double) = function(library, "advance"), (*events)(void) = function(library, "events");
  void *(*answer)(void) = function(library, "answer");
  Bytes zones = read_file(folder, "zones"), rows = read_file(folder, "rows"), end = read_file(folder, "end"), answers = {NULL, 0};
  int count = start(0, 1, zones.bytes, (int)zones.count);
  append(&answers, answer(), (size_t)count);
  size_t step = (size_t)rowsAtOnce * numbersInRow * 8;
  for (size_t from = 0; from < rows.count; from += step) {
    size_t some = rows.count - from < step ? rows.count - from : step;
    count = insert(rows.bytes + from, (int)(some / (numbersInRow * 8)));
    append(&answers, answer(), (size_t)count);
  }
  double time;
  memcpy(&time, end.bytes, sizeof time);
  count = advance(time);
  append(&answers, answer(), (size_t)count);
  same(trace, "answers", answers, read_file(folder, "answers"));
  count = events();
  Bytes told = {answer(), (size_t)count};
  same(trace, "events", told, read_file(folder, "events"));
  printf("ok    %s: %zu fixes, %d bytes of events\n", trace, rows.count / (numbersInRow * 8), count);
}

static void *library(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!opened) fail("cannot be loaded:", dlerror());
  return opened;
}

int main(int count, char **arguments) {
  if (count != 3) fail("usage:", "replay LIBRARY TRACES");
  begin_machine();
  void *trace = library(arguments[1], "libtrace.so"), *proximity = library(arguments[1], "libproximity.so");
  mistakes(proximity);
  struct dirent **found;
  int folders = scandir(arguments[2], &found, NULL, alphasort), passed = 1;
  for (int index = 0; index < folders; index++) {
    const char *name = found[index]->d_name;
    if (name[0] == '.') continue;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/%s", arguments[2], name);
    if (exists(folder, "rows")) replay_trace(trace, name, folder), passed++;
    if (exists(folder, "phone-inputs")) replay_phone(proximity, name, folder), passed++;
  }
  printf("%d passed, 0 failed\n", passed);
  return passed > 1 ? 0 : 1;
}
