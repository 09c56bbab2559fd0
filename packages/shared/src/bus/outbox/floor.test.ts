import { describe, expect, it } from 'vitest';
import { createOutboxFloor } from './floor.ts';

describe('the floor of an outbox', () => {
  it('rises once every transaction up to the move has ended', () => {
    const floor = createOutboxFloor(10);
    floor.polled(100n, 11);
    floor.moved(40, 105n);
    floor.polled(105n, undefined);
    expect(floor.value).toBe(10);
    floor.polled(106n, undefined);
    expect(floor.value).toBe(40);
  });

  it('stays below a row that appeared late', () => {
    const floor = createOutboxFloor(0);
    floor.moved(40, 105n);
    floor.polled(106n, 17);
    expect(floor.value).toBe(16);
    floor.moved(17, 107n);
    floor.polled(108n, undefined);
    expect(floor.value).toBe(17);
    floor.moved(60, 109n);
    floor.polled(110n, 61);
    expect(floor.value).toBe(60);
  });

  it('keeps the older mark while a transaction stays open, and never falls', () => {
    const floor = createOutboxFloor(0);
    floor.moved(5, 100n);
    floor.moved(9, 200n);
    floor.polled(150n, 6);
    expect(floor.value).toBe(5);
    floor.moved(9, 200n);
    floor.polled(201n, 3);
    expect(floor.value).toBe(5);
  });

  it('reaches what was moved while an older mark waited, though nothing more is published', () => {
    const floor = createOutboxFloor(0);
    floor.moved(500, 100n);
    floor.polled(90n, 501);
    floor.moved(1_000, 110n);
    floor.polled(101n, undefined);
    expect(floor.value).toBe(500);
    floor.polled(111n, undefined);
    expect(floor.value).toBe(1_000);
  });

  it('reaches the highest id that was moved while an older mark waited, also when a lower one came last', () => {
    const floor = createOutboxFloor(0);
    floor.moved(500, 100n);
    floor.moved(1_000, 110n);
    floor.moved(450, 120n);
    floor.polled(101n, undefined);
    floor.polled(121n, undefined);
    expect(floor.value).toBe(1_000);
  });
});
