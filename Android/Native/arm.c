// What the compiler calls for arithmetic that 32-bit ARM has no instruction for. On a desktop these functions come from the
// compiler's own library, of which there is none for this processor without Android's NDK.
// Source: Run-time ABI for the Arm Architecture, IHI 0043, 4.2 (64-bit integers), 4.3.1 (division), 4.3.4 (memory).
// Compiled with -fno-builtin: otherwise the compiler may turn a function's body into a call of that function.
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);

static inline uint32_t high(uint64_t a) { return (uint32_t)(a >> 32); }
static inline uint64_t pair(uint32_t high, uint32_t low) { return (uint64_t)high << 32 | low; }

// Shifts by 64 and more give 0, as the document has it.

uint64_t __aeabi_llsl(uint64_t a, int by) {
  if (by >= 64) return 0;
  if (by >= 32) return pair((uint32_t)a << (by - 32), 0);
  if (by == 0) return a;
  return pair(high(a) << by | (uint32_t)a >> (32 - by), (uint32_t)a << by);
}

uint64_t __aeabi_llsr(uint64_t a, int by) {
  if (by >= 64) return 0;
  if (by >= 32) return high(a) >> (by - 32);
  if (by == 0) return a;
  return pair(high(a) >> by, (uint32_t)a >> by | high(a) << (32 - by));
}

int64_t __aeabi_lasr(int64_t a, int by) {
  if (a >= 0) return (int64_t)__aeabi_llsr((uint64_t)a, by);
  return (int64_t)~__aeabi_llsr(~(uint64_t)a, by);
}

// Division: one bit of the quotient after the other, from the first that can be set. By zero the quotient is 0 and the
// remainder the dividend; the engine traps before it comes to that.

static uint32_t divide(uint32_t a, uint32_t by, uint32_t *remainder) {
  uint32_t quotient = 0;
  if (by != 0 && a >= by) {
    for (int bit = __builtin_clz(by) - __builtin_clz(a); bit >= 0; bit--) {
      if (a >= by << bit) {
        a -= by << bit;
        quotient |= 1u << bit;
      }
    }
  }
  *remainder = a;
  return quotient;
}

static int leadingZeros(uint64_t a) { return high(a) != 0 ? __builtin_clz(high(a)) : 32 + __builtin_clz((uint32_t)a); }

static uint64_t divideLong(uint64_t a, uint64_t by, uint64_t *remainder) {
  if ((high(a) | high(by)) == 0) {
    uint32_t left;
    uint32_t quotient = divide((uint32_t)a, (uint32_t)by, &left);
    *remainder = left;
    return quotient;
  }
  uint64_t quotient = 0;
  if (by != 0 && a >= by) {
    int bit = leadingZeros(by) - leadingZeros(a);
    uint64_t shifted = __aeabi_llsl(by, bit);
    for (; bit >= 0; bit--, shifted = pair(high(shifted) >> 1, (uint32_t)(shifted >> 1))) {
      quotient = pair(high(quotient) << 1 | (uint32_t)quotient >> 31, (uint32_t)quotient << 1);
      if (a >= shifted) {
        a -= shifted;
        quotient |= 1;
      }
    }
  }
  *remainder = a;
  return quotient;
}

// Of two 32-bit results the quotient is in the lower register.

uint64_t __aeabi_uidivmod(uint32_t a, uint32_t by) {
  uint32_t remainder;
  uint32_t quotient = divide(a, by, &remainder);
  return pair(remainder, quotient);
}

uint32_t __aeabi_uidiv(uint32_t a, uint32_t by) { return (uint32_t)__aeabi_uidivmod(a, by); }

uint64_t __aeabi_idivmod(int32_t a, int32_t by) {
  uint32_t remainder;
  uint32_t quotient = divide(a < 0 ? -(uint32_t)a : (uint32_t)a, by < 0 ? -(uint32_t)by : (uint32_t)by, &remainder);
  return pair(a < 0 ? -remainder : remainder, (a < 0) != (by < 0) ? -quotient : quotient);
}

int32_t __aeabi_idiv(int32_t a, int32_t by) { return (int32_t)__aeabi_idivmod(a, by); }

// Of two 64-bit results the quotient is in r0 and r1, the remainder in r2 and r3: C has no such function.

__attribute__((used)) static uint64_t divideUnsigned(uint64_t a, uint64_t by, uint64_t *remainder) {
  return divideLong(a, by, remainder);
}

__attribute__((used)) static int64_t divideSigned(int64_t a, int64_t by, int64_t *remainder) {
  uint64_t left;
  uint64_t quotient = divideLong(a < 0 ? -(uint64_t)a : (uint64_t)a, by < 0 ? -(uint64_t)by : (uint64_t)by, &left);
  *remainder = (int64_t)(a < 0 ? -left : left);
  return (int64_t)((a < 0) != (by < 0) ? -quotient : quotient);
}

#define TWO_RESULTS(name, function) \
  __attribute__((naked)) void name(void) { \
    __asm__("push {r4, lr}\n sub sp, sp, #16\n add r4, sp, #8\n str r4, [sp]\n bl " #function "\n" \
            "ldr r2, [sp, #8]\n ldr r3, [sp, #12]\n add sp, sp, #16\n pop {r4, pc}"); \
  }
TWO_RESULTS(__aeabi_uldivmod, divideUnsigned)
TWO_RESULTS(__aeabi_ldivmod, divideSigned)

// Numbers with a point. Both halves are exact, so their sum is rounded once.

double __aeabi_ul2d(uint64_t a) { return (double)high(a) * 0x1p32 + (double)(uint32_t)a; }

double __aeabi_l2d(int64_t a) { return (double)(int32_t)high((uint64_t)a) * 0x1p32 + (double)(uint32_t)a; }

// What a double cannot hold is rounded to odd, so that only the rounding to a float counts.
static uint64_t roundedToOdd(uint64_t a) {
  const uint64_t lost = 0x7ff;
  if (a <= 1ull << 53 || (a & lost) == 0) return a;
  return (a & ~lost) | (lost + 1);
}

float __aeabi_ul2f(uint64_t a) { return (float)__aeabi_ul2d(roundedToOdd(a)); }

float __aeabi_l2f(int64_t a) { return a < 0 ? -__aeabi_ul2f(-(uint64_t)a) : __aeabi_ul2f((uint64_t)a); }

// Towards zero; what is too large is the largest, what is no number is 0.

uint64_t __aeabi_d2ulz(double a) {
  if (!(a > 0)) return 0;
  if (a >= 0x1p64) return UINT64_MAX;
  uint32_t upper = (uint32_t)(a * 0x1p-32);
  return pair(upper, (uint32_t)(a - (double)upper * 0x1p32));
}

int64_t __aeabi_d2lz(double a) {
  if (a >= 0x1p63) return INT64_MAX;
  if (a <= -0x1p63) return INT64_MIN;
  return a < 0 ? -(int64_t)__aeabi_d2ulz(-a) : (int64_t)__aeabi_d2ulz(a);
}

uint64_t __aeabi_f2ulz(float a) { return __aeabi_d2ulz(a); }

int64_t __aeabi_f2lz(float a) { return __aeabi_d2lz(a); }

// Memory. The numbers at the end say how it is aligned; set and clear take the count before the byte.

#define COPY(name, function) \
  void name(void *to, const void *from, size_t count) { function(to, from, count); }
COPY(__aeabi_memcpy, memcpy)
COPY(__aeabi_memcpy4, memcpy)
COPY(__aeabi_memcpy8, memcpy)
COPY(__aeabi_memmove, memmove)
COPY(__aeabi_memmove4, memmove)
COPY(__aeabi_memmove8, memmove)

#define SET(name) \
  void name(void *to, size_t count, int byte) { memset(to, byte, count); }
SET(__aeabi_memset)
SET(__aeabi_memset4)
SET(__aeabi_memset8)

#define CLEAR(name) \
  void name(void *to, size_t count) { memset(to, 0, count); }
CLEAR(__aeabi_memclr)
CLEAR(__aeabi_memclr4)
CLEAR(__aeabi_memclr8)
