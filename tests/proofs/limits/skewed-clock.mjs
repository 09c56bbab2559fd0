// Loaded before a gateway: its wall clock is wrong by CLOCK_SKEW_MS. The windows must not care.
const skewMs = Number(process.env.CLOCK_SKEW_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + skewMs] : args));
  }
  static now() {
    return RealDate.now() + skewMs;
  }
};
