// Memory for the engine in the page: blocks with a tag at each end, freed blocks joined with their neighbours.
//
//     | tag | payload ...                | tag |
//
// A block's size is a multiple of 16 and counts its two tags; the lowest bit of a tag says that the block is in use.
// A free block keeps its place in a list of blocks of its kind of size in its first payload bytes. The kinds are the
// 64 multiples of 16 up to 1024, then four for each power of two; a bitmap says which lists are not empty. Of the kind that is
// asked for only some blocks are tried, since thousands may be too small; of a greater one any will do.
// Memory grows by what is needed or by a quarter, whichever is more, and never shrinks.
#include <stddef.h>
#include <stdint.h>

enum { GRAIN = 16, TAG = 8, LEAST = 32, EXACT = 64, KINDS = 160, TRIED = 8, PAGE = 65536 };

typedef struct Block {
  uint32_t tag;  // Size and "in use"; its twin is at the end of the block.
  uint32_t unused;
  struct Block *next, *previous;  // While free.
} Block;

extern uint8_t __heap_base;

static Block *lists[KINDS];
static uint32_t filled[KINDS / 32];
static uintptr_t start, end;  // Of all blocks.

static uint32_t size_of(const Block *block) { return block->tag & ~1u; }
static Block *at(uintptr_t address) { return (Block *)address; }
static uint32_t *tag_before(uintptr_t address) { return (uint32_t *)(address - TAG); }

static void mark(Block *block, uint32_t size, uint32_t used) {
  block->tag = size | used;
  *tag_before((uintptr_t)block + size) = size | used;
}

static unsigned kind_of(uint32_t size) {
  if (size / GRAIN < EXACT) return size / GRAIN;
  const unsigned power = 31 - (unsigned)__builtin_clz(size);
  return EXACT + (power - 10) * 4 + (size >> (power - 2) & 3);
}

static void keep(Block *block, uint32_t size) {
  mark(block, size, 0);
  const unsigned kind = kind_of(size);
  block->previous = NULL;
  block->next = lists[kind];
  if (block->next) block->next->previous = block;
  lists[kind] = block;
  filled[kind / 32] |= 1u << kind % 32;
}

static void take(Block *block) {
  const unsigned kind = kind_of(size_of(block));
  if (block->next) block->next->previous = block->previous;
  if (block->previous) {
    block->previous->next = block->next;
  } else {
    lists[kind] = block->next;
    if (!block->next) filled[kind / 32] &= ~(1u << kind % 32);
  }
}

// The first list from `kind` on that is not empty; KINDS if there is none.
static unsigned next_filled(unsigned kind) {
  for (unsigned word = kind / 32; word < KINDS / 32; word++) {
    uint32_t bits = filled[word];
    if (word == kind / 32) bits &= ~0u << kind % 32;
    if (bits) return word * 32 + (unsigned)__builtin_ctz(bits);
  }
  return KINDS;
}

static Block *find(uint32_t size) {
  const unsigned kind = kind_of(size);
  Block *block = lists[kind];
  for (unsigned tried = 0; block && tried < TRIED; tried++, block = block->next) {
    if (size_of(block) >= size) return block;
  }
  const unsigned greater = next_filled(kind + 1);
  if (greater < KINDS) return lists[greater];
  // Rather than growing, the rest of them.
  while (block && size_of(block) < size) block = block->next;
  return block;
}

// Joins a block that is no longer used with free neighbours and keeps it.
static void give_back(Block *block) {
  uintptr_t address = (uintptr_t)block;
  uint32_t size = size_of(block);
  if (address + size < end) {
    Block *after = at(address + size);
    if (!(after->tag & 1)) {
      take(after);
      size += size_of(after);
    }
  }
  if (address > start) {
    const uint32_t before = *tag_before(address);
    if (!(before & 1)) {
      address -= before;
      take(at(address));
      size += before;
    }
  }
  keep(at(address), size);
}

static int grow(uint32_t size) {
  // Blocks start 8 short of a multiple of 16, so that payloads lie at one.
  if (!end) start = end = ((uintptr_t)&__heap_base + GRAIN - 1) / GRAIN * GRAIN + TAG;
  const uint64_t have = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
  const uint64_t room = have - end;
  if (room < size + GRAIN) {
    const uint64_t need = (uint64_t)size + GRAIN - room;
    uint64_t more = need;
    if (more < have / 4) more = have / 4;
    if (__builtin_wasm_memory_grow(0, (size_t)((more + PAGE - 1) / PAGE)) == (size_t)-1) {
      // A quarter may be too much where what is needed is not.
      if (__builtin_wasm_memory_grow(0, (size_t)((need + PAGE - 1) / PAGE)) == (size_t)-1) return 0;
    }
  }
  const uint64_t now = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
  const uint32_t gained = (uint32_t)((now - end - GRAIN) / GRAIN * GRAIN);
  Block *block = at(end);
  end += gained;
  mark(block, gained, 1);
  give_back(block);
  return 1;
}

void *malloc(size_t count) {
  if (count > 0x7fff0000) return NULL;
  uint32_t size = ((uint32_t)count + 2 * TAG + GRAIN - 1) / GRAIN * GRAIN;
  if (size < LEAST) size = LEAST;
  Block *block = find(size);
  if (!block) {
    if (!grow(size)) return NULL;
    block = find(size);
    if (!block) return NULL;
  }
  take(block);
  const uint32_t whole = size_of(block);
  if (whole - size >= LEAST) {
    keep(at((uintptr_t)block + size), whole - size);
  } else {
    size = whole;
  }
  mark(block, size, 1);
  return (uint8_t *)block + TAG;
}

// A payload moved up for its alignment has this before it, in place of a block's tag.
static const uint32_t MOVED = 0xfffffffe;

void free(void *payload) {
  if (!payload) return;
  uint32_t *tag = (uint32_t *)((uint8_t *)payload - TAG);
  if (tag[0] == MOVED) tag = (uint32_t *)(uintptr_t)tag[1];
  give_back((Block *)tag);
}

int posix_memalign(void **result, size_t alignment, size_t count) {
  const int no_memory = 12;  // ENOMEM
  if (alignment <= GRAIN) {
    *result = malloc(count);
    return *result ? 0 : no_memory;
  }
  if (count > 0x7fff0000 || alignment > 0x7fff0000 - count) return no_memory;
  uint8_t *payload = malloc(count + alignment);
  if (!payload) return no_memory;
  uintptr_t aligned = ((uintptr_t)payload + alignment - 1) / alignment * alignment;
  if (aligned != (uintptr_t)payload) {
    uint32_t *tag = (uint32_t *)(aligned - TAG);
    tag[0] = MOVED;
    tag[1] = (uint32_t)((uintptr_t)payload - TAG);
  }
  *result = (void *)aligned;
  return 0;
}
