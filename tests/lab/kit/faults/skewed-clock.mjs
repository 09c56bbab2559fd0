// Preloaded into a process of the product: offsets its wall clock by CLOCK_SKEW_MS, or by the current content
// of the file CLOCK_SKEW_FILE, so that the clock can step while the process runs. Timers and the monotonic
// clock stay correct.
import { readFileSync } from 'node:fs';

const lookEveryMs = 100;
const file = process.env.CLOCK_SKEW_FILE;
let skewMs = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RealDate = Date;

if (file !== undefined) {
  const look = () => {
    skewMs = Number(readFileSync(file, 'utf8'));
  };
  look();
  setInterval(look, lookEveryMs).unref();
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + skewMs] : args));
  }
  static now() {
    return RealDate.now() + skewMs;
  }
};
