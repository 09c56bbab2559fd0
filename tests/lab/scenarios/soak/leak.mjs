/** Preloaded into a service by `--plant leak`: leaks 5 MB a minute. */
const kept = [];
setInterval(() => kept.push(new Uint8Array(500_000).fill(1)), 6_000).unref();
