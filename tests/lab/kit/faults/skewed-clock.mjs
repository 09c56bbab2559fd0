// Loaded before a process of the product: its wall clock is wrong by CLOCK_SKEW_MS, or by what the file CLOCK_SKEW_FILE
// says at the moment, so that the clock can step while the process runs. Timers and the monotonic clock stay right.
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
