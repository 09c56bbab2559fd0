// Node options of `npm start`; plain JavaScript, because the bootstrap reads them.

/**
 * `npm start` mostly waits for one person, so memory counts for more than the last milliseconds. A young
 * generation of up to 3 x 2 MB: with the default of 3 x 32 MB, what a busy start fills stays resident.
 */
export const startFlags = ['--max-semi-space-size=2'];
/**
 * glibc raises its mmap threshold to the size of each large block that is freed, 8 MB for a slide's pixels.
 * Later blocks then come from the heap, which the first small allocation above them pins: 85 MB after the
 * first deck. A fixed threshold returns each large block when it is freed; huge pages keep the resulting page
 * faults at 9 % of a deck's time, instead of 25 %. Other C libraries ignore the variable.
 */
const tunables = [
  'glibc.malloc.mmap_threshold=1048576',
  'glibc.malloc.trim_threshold=262144',
  'glibc.malloc.arena_max=2',
  'glibc.malloc.hugetlb=1',
].join(':');

export const startEnvironment = { GLIBC_TUNABLES: tunables };
