import { describe, expect, it } from 'vitest';
import { newTopicSettings, planSettings, retentionMaxMs } from './topic-settings.ts';

const asCreated = (isDeadLetter: boolean, replicas: number) =>
  Object.fromEntries(
    Object.entries(newTopicSettings(isDeadLetter, replicas)).map(([name, value]) => [
      name,
      { value, isOwn: true },
    ]),
  );
const changed = (name: string, value: string, isOwn = true) => ({
  ...asCreated(false, 3),
  [name]: { value, isOwn },
});

describe('planSettings', () => {
  it.each([
    [false, 1],
    [false, 3],
    [true, 1],
    [true, 3],
  ])('changes nothing of a topic as it was created (dead letters: %s, replicas: %s)', (isDead, replicas) => {
    expect(planSettings(isDead, asCreated(isDead, replicas), replicas)).toEqual({
      changes: {},
      refusal: null,
    });
  });

  it('sets everything on a topic that only inherits', () => {
    expect(planSettings(false, {}, 3)).toEqual({ changes: newTopicSettings(false, 3), refusal: null });
    const inherited = { 'retention.ms': { value: '604800000', isOwn: false } };
    expect(planSettings(false, inherited, 1).changes).toMatchObject({ 'retention.ms': '604800000' });
  });

  it.each([
    ['cleanup.policy', 'compact', { 'cleanup.policy': 'delete' }],
    ['compression.type', 'zstd', { 'compression.type': 'producer' }],
    ['segment.ms', '604800000', { 'segment.ms': '86400000' }],
    ['segment.ms', '3600000', {}],
    ['min.insync.replicas', '1', { 'min.insync.replicas': '2' }],
    ['min.insync.replicas', '3', {}],
    ['retention.ms', '3600000', {}],
    ['retention.ms', String(retentionMaxMs), {}],
  ])('%s = %s', (name, value, changes) => {
    expect(planSettings(false, changed(name, value), 3)).toEqual({ changes, refusal: null });
  });

  it('accepts a sufficient min.insync.replicas that is inherited', () => {
    expect(planSettings(false, changed('min.insync.replicas', '2', false), 3).changes).toEqual({});
  });

  it.each(['-1', String(retentionMaxMs + 1)])('refuses a retention of %s', value => {
    expect(planSettings(false, changed('retention.ms', value), 3).refusal).toMatch(/longer than the 29 days/);
  });

  it('replaces a retention that a broker inherits to all its topics, however long', () => {
    expect(planSettings(false, changed('retention.ms', '-1', false), 3)).toEqual({
      changes: { 'retention.ms': '604800000' },
      refusal: null,
    });
  });

  it('keeps dead letters without end, whatever was set', () => {
    const current = { ...asCreated(true, 3), 'retention.ms': { value: '86400000', isOwn: true } };
    expect(planSettings(true, current, 3)).toEqual({ changes: { 'retention.ms': '-1' }, refusal: null });
  });
});
