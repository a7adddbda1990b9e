#include <stddef.h>

/// Bytes in use on the heap.
size_t heap_bytes(void);
/// Hands what was written so far to the system.
void flush_output(void);
