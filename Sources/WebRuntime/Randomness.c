// Seeds the hashing of sets and dictionaries. Always the same seed, so that every run is the same run.
#include <stddef.h>

void arc4random_buf(void *bytes, size_t count) {
  unsigned char *p = bytes;
  for (size_t i = 0; i < count; i++) p[i] = (unsigned char)(0x9e + 37 * i);
}
