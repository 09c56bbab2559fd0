import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@hookline/shared/kernel';
import { startSimulators } from '@hookline/simulators/simulators';
import { perSuite } from '@hookline/testing/per-suite';
import { afterAll, expect, it } from 'vitest';
import { budgetOf, measureModel } from './measure-model.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'hookline-measure-'));
const log = createLogger({ service: 'doctor', level: 'silent' });
const controlToken = 'the-control-token-of-this-test';
const simulators = perSuite(() => startSimulators({ port: 0, controlToken, dataDir }));

afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true });
});

const measure = (apiKey?: string) => {
  const baseUrl = `http://127.0.0.1:${simulators.port}/llm/v1`;
  return measureModel({ provider: 'custom', baseUrl, model: 'small-model', apiKey }, log);
};

it('measures the first token and two decks', async () => {
  const times = await measure();
  expect(times).toEqual({
    firstTokenMs: expect.any(Number),
    deckMs: [expect.any(Number), expect.any(Number)],
    refused: [],
  });
});

it('says why no deck was written', async () => {
  const { firstTokenMs, deckMs, refused } = await measure('wrong');
  expect([firstTokenMs, deckMs]).toEqual([null, []]);
  expect(refused[0]).toContain('HTTP 401');
});

it('a budget is half as long again as the slowest deck, and at least 5 s', () => {
  expect([budgetOf([900, 1_200]), budgetOf([8_000, 21_000])]).toEqual([5, 32]);
});
