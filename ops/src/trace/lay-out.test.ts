import { describe, expect, it } from 'vitest';
import { type Happening, layOut, nest } from './lay-out.ts';

const at = (atMs: number, service: string, text: string, durationMs?: number): Happening => ({
  atMs,
  service,
  text,
  inner: [],
  ...(durationMs === undefined ? {} : { durationMs }),
});

describe('the way of a request', () => {
  it('puts calls into the calls around them, and moments into their service', () => {
    const top = nest(
      [
        at(1_010, 'scheduling', 'POST /v1/schedules 201', 80),
        at(1_000, 'gateway', 'POST /api/v1/schedules 201', 100),
        at(1_020, 'content', 'GET /internal/contents 200', 10),
      ],
      [at(1_050, 'scheduling', 'event schedule.created'), at(3_500, 'scheduling', 'schedule_1 sent')],
    );
    expect(layOut(top)).toEqual([
      '  +0 ms  gateway     POST /api/v1/schedules 201  (100 ms)',
      ' +10 ms  scheduling    POST /v1/schedules 201  (80 ms)',
      ' +20 ms  content         GET /internal/contents 200  (10 ms)',
      ' +50 ms  scheduling      event schedule.created',
      '+2.50 s  scheduling  schedule_1 sent',
    ]);
  });

  it('allows for clocks that are read to the millisecond, and shows hours as a clock does', () => {
    const inner = at(999, 'content', 'inner', 12);
    const top = nest(
      [at(1_000, 'gateway', 'outer', 10), inner],
      [at(1_000 + 3_723_000, 'scheduling', 'late')],
    );
    // The longer of the two is the outer one, whatever its name.
    expect(top[0]).toBe(inner);
    expect(layOut(top).at(-1)).toContain('+01:02:03');
  });

  it('is nothing for nothing', () => {
    expect(layOut([])).toEqual([]);
  });
});
