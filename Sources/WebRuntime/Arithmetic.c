// The lower 128 bits of a product of 128-bit numbers: wasm32 has no instruction for it, and the compiler calls this.
#include <stdint.h>

__int128 __multi3(__int128 a, __int128 b) {
  const unsigned __int128 x = (unsigned __int128)a, y = (unsigned __int128)b;
  const uint64_t x0 = (uint64_t)x, y0 = (uint64_t)y;
  const uint64_t low = 0xffffffff;
  // 64 x 64 bits from four products of halves.
  const uint64_t ll = (x0 & low) * (y0 & low);
  const uint64_t lh = (x0 & low) * (y0 >> 32);
  const uint64_t hl = (x0 >> 32) * (y0 & low);
  const uint64_t hh = (x0 >> 32) * (y0 >> 32);
  const uint64_t middle = (ll >> 32) + (lh & low) + (hl & low);
  const uint64_t lower = (ll & low) | (middle << 32);
  uint64_t upper = hh + (lh >> 32) + (hl >> 32) + (middle >> 32);
  upper += (uint64_t)(x >> 64) * y0 + x0 * (uint64_t)(y >> 64);
  return (__int128)((unsigned __int128)upper << 64 | lower);
}

// Halves away from zero, which WebAssembly has no instruction for.
double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1.0, x) : whole;
}
