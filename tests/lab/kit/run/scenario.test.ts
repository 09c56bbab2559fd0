import { describe, expect, it } from 'vitest';
import { UsageError } from './flags.ts';
import { defineScenario, describeScenario, readCommand } from './scenario.ts';

const scenario = defineScenario({
  about: 'what it shows',
  takes: 'about 1 minute',
  minutes: { usual: 2, long: 10 },
  long: 'ten minutes',
  flags: {
    keys: { usual: 1_000, about: 'how many' },
    only: { usual: '', about: 'a part' },
    kubernetes: { usual: false, about: 'the manifests' },
  },
  plants: { fence: 'the fence is off' },
  run: async () => ({ isProven: true, figures: {} }),
});
const bare = defineScenario({
  about: 'takes no flags',
  takes: 'about 1 minute',
  run: async () => ({ isProven: true, figures: {} }),
});

describe('the flags of a scenario', () => {
  it('have their usual values when none is given', () => {
    expect(readCommand(scenario, [])).toEqual({
      ...{ minutes: 2, isTimed: false, isLong: false, plant: null, isRecorded: false },
      flags: { keys: 1_000, only: '', kubernetes: false },
    });
    expect(readCommand(bare, ['--record'])).toMatchObject({ minutes: 0, isRecorded: true, flags: {} });
  });

  it('are read as what they are; --minutes wins over --long', () => {
    const args = ['--long', '--minutes', '0.5', '--keys=7', '--kubernetes', '--plant', 'fence'];
    expect(readCommand(scenario, args)).toMatchObject({
      ...{ minutes: 0.5, isTimed: true, isLong: true, plant: 'fence' },
      flags: { keys: 7, kubernetes: true },
    });
    expect(readCommand(scenario, ['--long'])).toMatchObject({ minutes: 10, isTimed: false });
  });

  it.each([
    [['--planted', 'fence'], /Unknown option '--planted'.*Flags: --minutes <n>/],
    [['--plant', 'nothing'], 'There is no plant "nothing". Plants: fence.'],
    [['--minutes', 'two'], '--minutes takes a number above 0, not "two".'],
    [['--keys', '0'], '--keys takes a number above 0, not "0".'],
    [['--keys'], /--keys/],
    [['now'], /Unexpected argument 'now'/],
  ])('%j is refused', (args, message) => {
    expect(() => readCommand(scenario, args)).toThrow(UsageError);
    expect(() => readCommand(scenario, args)).toThrow(message);
  });

  it('that are not declared are refused', () => {
    for (const flag of ['--minutes=1', '--long', '--plant=fence', '--keys=1'])
      expect(() => readCommand(bare, [flag])).toThrow(UsageError);
  });

  it('are listed with the duration and the plants', () => {
    const line = describeScenario('name', scenario);
    expect(line).toContain('what it shows (about 1 minute)');
    expect(line).toContain('--plant <text> (a defect to find: fence)');
    expect(describeScenario('name', bare)).toBe('  name         takes no flags (about 1 minute)');
  });
});
