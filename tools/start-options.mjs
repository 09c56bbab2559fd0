// How `npm start` runs the product; plain JavaScript, because the bootstrap reads it.

/**
 * `npm start` waits for one person most of the time, so memory counts for more than the last milliseconds.
 * A young generation of up to 3 x 4 MB: with the default of 3 x 32 MB, what a busy start fills stays resident.
 */
export const startFlags = ['--max-semi-space-size=4'];
/**
 * glibc raises its limit for mmap to the size of each large block that is freed, 8 MB for a slide's pixels. Later
 * blocks then come from the heap, which the first small allocation above them pins: 85 MB after the first deck. A
 * fixed limit gives each large block back when it is freed; huge pages keep the page faults of that at 9 % of the
 * time that a deck takes, instead of 25 %. Other C libraries ignore the variable.
 */
const tunables = [
  'glibc.malloc.mmap_threshold=1048576',
  'glibc.malloc.trim_threshold=262144',
  'glibc.malloc.arena_max=2',
  'glibc.malloc.hugetlb=1',
].join(':');

export const startEnvironment = { GLIBC_TUNABLES: tunables };
