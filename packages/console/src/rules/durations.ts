export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
/** A tap that was meant for what was on this spot before takes less: two taps were up to 350 ms apart. */
export const secondTapMs = 600;
