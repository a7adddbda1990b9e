// Prints what Android/Native/arm.c answers, for numbers at the edges and drawn from a seed. Compiled for the machine at hand it
// prints what that processor's own instructions answer: both must print the same.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __arm__
uint64_t __aeabi_llsl(uint64_t, int), __aeabi_llsr(uint64_t, int), __aeabi_uidivmod(uint32_t, uint32_t), __aeabi_idivmod(int32_t, int32_t);
uint32_t __aeabi_uidiv(uint32_t, uint32_t);
int32_t __aeabi_idiv(int32_t, int32_t);
double __aeabi_ul2d(uint64_t), __aeabi_l2d(int64_t);
float __aeabi_l2f(int64_t);
int64_t __aeabi_d2lz(double);
void __aeabi_memset(void *, size_t, int), __aeabi_memclr(void *, size_t), __aeabi_memmove(void *, const void *, size_t);
#define shiftLeft(a, by) __aeabi_llsl(a, by)
#define shiftRight(a, by) __aeabi_llsr(a, by)
#define quotient32(a, by) __aeabi_uidiv(a, by)
#define remainder32(a, by) (uint32_t)(__aeabi_uidivmod(a, by) >> 32)
#define signedQuotient32(a, by) __aeabi_idiv(a, by)
#define signedRemainder32(a, by) (int32_t)(__aeabi_idivmod(a, by) >> 32)
#define asDouble(a) __aeabi_l2d(a)
#define unsignedAsDouble(a) __aeabi_ul2d(a)
#define asFloat(a) __aeabi_l2f(a)
#define whole(a) __aeabi_d2lz(a)
#define fill(to, byte, count) __aeabi_memset(to, count, byte)
#define clear(to, count) __aeabi_memclr(to, count)
#define move(to, from, count) __aeabi_memmove(to, from, count)
#else
#define shiftLeft(a, by) ((a) << (by))
#define shiftRight(a, by) ((a) >> (by))
#define quotient32(a, by) ((a) / (by))
#define remainder32(a, by) ((a) % (by))
#define signedQuotient32(a, by) (int32_t)((int64_t)(a) / (by))
#define signedRemainder32(a, by) (int32_t)((int64_t)(a) % (by))
#define asDouble(a) (double)(a)
#define unsignedAsDouble(a) (double)(a)
#define asFloat(a) (float)(a)
#define whole(a) (int64_t)(a)
#define fill(to, byte, count) memset(to, byte, count)
#define clear(to, count) memset(to, 0, count)
#define move(to, from, count) memmove(to, from, count)
#endif

static uint64_t bits(double a) {
  uint64_t b;
  memcpy(&b, &a, sizeof b);
  return b;
}

static void line(uint64_t a, uint64_t b, double real) {
  uint32_t c = (uint32_t)a, d = (uint32_t)b | (uint32_t)(b == 0);
  // The two divisions of 64 bits are what the compiler makes of / and % here.
  volatile uint64_t x = a, y = b == 0 ? 1 : b;
  volatile int64_t s = (int64_t)a, t = b == 0 || b == UINT64_MAX ? 1 : (int64_t)b;
  float single = asFloat((int64_t)a);
  uint32_t singleBits;
  memcpy(&singleBits, &single, sizeof singleBits);
  if (d == 0) d = 1;
  printf("%llx %llx: %llx %llx %x %x %d %d ", (unsigned long long)a, (unsigned long long)b,
         (unsigned long long)shiftLeft(a, (int)(b & 63)), (unsigned long long)shiftRight(a, (int)(b & 63)), quotient32(c, d),
         remainder32(c, d), signedQuotient32((int32_t)c, (int32_t)d), signedRemainder32((int32_t)c, (int32_t)d));
  printf("%llx %llx %lld %lld %llx %llx %x %lld\n", (unsigned long long)(x / y), (unsigned long long)(x % y), (long long)(s / t),
         (long long)(s % t), (unsigned long long)bits(asDouble((int64_t)a)), (unsigned long long)bits(unsignedAsDouble(a)), singleBits,
         (long long)whole(real));
}

static uint64_t state = 20261122;
static uint64_t draw(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

int main(void) {
  static const uint64_t edges[] = {0, 1, 2, 3, 10, 31, 32, 33, 63, 1000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
    0x100000001, 0x1fffffffffffff, 0x20000000000000, 0x20000000000001, 0x40000000000001ff, 0x4000004000000001, 0x7fffffffffffffff,
    0x8000000000000000, 0x8000000000000001, 0xfffffffffffff800, 0xfffffffffffffffe, 0xffffffffffffffff};
  const int count = sizeof edges / sizeof *edges;
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) line(edges[i], edges[j], (double)(int64_t)(edges[i] >> 2) / (double)(j + 1));
  }
  for (int i = 0; i < 20000; i++) {
    uint64_t a = draw() >> (draw() & 63), b = draw() >> (draw() & 63);
    line(a, b, (double)(int64_t)(draw() >> (1 + draw() % 63)) * (i % 2 ? 0.37 : -0.37));
  }
  unsigned char memory[64];
  for (int from = 0; from < 16; from++) {
    fill(memory, 0xa5, sizeof memory);
    for (int at = 0; at < 32; at++) memory[at] = (unsigned char)(at * 7);
    clear(memory + 40 + from % 4, (size_t)from);
    move(memory + from, memory + 5, 23);
    for (size_t at = 0; at < sizeof memory; at++) printf("%02x", memory[at]);
    printf("\n");
  }
  return 0;
}
