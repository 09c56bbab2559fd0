/** Loaded ahead of a service by `--plant leak`: keeps 5 MB a minute for ever. */
const kept = [];
setInterval(() => kept.push(new Uint8Array(500_000).fill(1)), 6_000).unref();
