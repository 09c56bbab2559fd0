/**
 * The rules of `deploy/alerts` with a minute made a second, in a real Prometheus that scrapes the real
 * processes. Each alert is provoked by a fault and must fire, and stop firing once the fault is over; before
 * the first fault none may fire. `--only <alert>` plays the faults of one alert.
 */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openVerdicts, type Verdicts } from '../../kit/checks/verdict.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { busFaults } from './bus-faults.ts';
import { contentFaults, moneyFaults } from './content-faults.ts';
import type { AlertFault } from './fault.ts';
import { type Ground, openGround } from './ground.ts';
import { outageFaults, storeFaults } from './platform-faults.ts';
import { postingFaults } from './posting-faults.ts';
import { type AlertWatch, startPrometheus } from './prometheus.ts';
import { writeScaledRules } from './scaled-rules.ts';

const settleMs = 8_000;
const calmMs = 10_000;
const firesWithinMs = 75_000;
const clearsUsuallyWithinMs = 90_000;

/** Lanes run concurrently; the faults of a lane run one after the other. */
const lanes = [contentFaults, moneyFaults, postingFaults, busFaults, storeFaults];
const invariants = ['nothing fires in calm', 'fires', 'clears'] as const;

/** @param only plays only this alert's faults; empty: all */
async function prove(folder: string, only: string): Promise<Outcome> {
  const isWanted = ({ alerts }: AlertFault): boolean => only === '' || alerts.includes(only);
  const alerts = writeScaledRules(join(folder, 'rules'));
  const ground = await openGround(folder);
  const verdicts = openVerdicts(invariants);
  const note = (line: object): void =>
    appendFileSync(join(folder, 'history.jsonl'), `${JSON.stringify(line)}\n`);
  const watch = await startPrometheus(folder, join(folder, 'rules'), ground.targets);
  const proven = new Set<string>();
  try {
    await stayCalm(watch, verdicts);
    const play = async (faults: readonly AlertFault[]): Promise<void> => {
      for (const fault of faults.filter(isWanted)) {
        await playOne(fault, { ground, watch, verdicts, note, proven }).catch((error: Error) =>
          verdicts.find('fires', 'lost', `${fault.alerts.join(', ')}: ${error.message}`),
        );
      }
    };
    await Promise.all(lanes.map(play));
    await play(outageFaults);
  } finally {
    for (const seen of watch.history) note(seen);
    await watch.stop();
    await ground.close();
  }
  for (const line of verdicts.lines()) console.log(line);
  const unproven = alerts.filter(alert => !proven.has(alert));
  if (only === '') console.log(`not provoked here: ${unproven.join(', ') || 'none'}`);
  const { ok } = verdicts.counts('fires');
  const cleared = verdicts.counts('clears').ok;
  const wrong = ['lost', 'unexpected'] as const;
  const bad = wrong.map(verdict => verdicts.counts()[verdict]).reduce((sum, count) => sum + count, 0);
  return {
    isProven: verdicts.isGreen() && proven.size > 0,
    figures: { alerts: alerts.length, fired: ok, cleared, wrong: bad },
  };
}

async function stayCalm(watch: AlertWatch, verdicts: Verdicts): Promise<void> {
  // Before its first scrape Prometheus knows none of the processes.
  await wait(settleMs);
  const began = Date.now();
  await wait(calmMs);
  const fired = watch.history
    .filter(({ state, at }) => state === 'fires' && at >= began)
    .map(({ alert }) => alert);
  for (const alert of fired) verdicts.find('nothing fires in calm', 'unexpected', alert);
  if (fired.length === 0) verdicts.find('nothing fires in calm', 'ok', `${calmMs} ms`);
}

type Stage = {
  ground: Ground;
  watch: AlertWatch;
  verdicts: Verdicts;
  note: (line: object) => void;
  proven: Set<string>;
};

async function playOne(fault: AlertFault, { ground, watch, verdicts, note, proven }: Stage): Promise<void> {
  const { name, alerts, clearsWithinMs = clearsUsuallyWithinMs } = fault;
  // Left over from an earlier fault: its start must be observed.
  await until(() => !alerts.some(watch.isFiring), clearsUsuallyWithinMs);
  const began = Date.now();
  note({ fault: name, at: began });
  const undo = await fault.provoke(ground);
  await Promise.all(
    alerts.map(async alert => {
      const isFired = await until(() => watch.isFiring(alert), firesWithinMs);
      const tookMs = Date.now() - began;
      console.log(
        `  ${alert}: ${isFired ? `fires after ${(tookMs / 1_000).toFixed(1)} s` : 'SILENT'} (${name})`,
      );
      verdicts.find('fires', isFired ? 'ok' : 'lost', `${alert}: ${name}`);
      if (isFired) proven.add(alert);
    }),
  );
  await undo();
  const ended = Date.now();
  note({ mended: name, at: ended });
  await Promise.all(
    alerts.map(async alert => {
      if (!proven.has(alert)) return;
      const isOver = await until(() => !watch.isFiring(alert), clearsWithinMs);
      const tookMs = Date.now() - ended;
      console.log(`  ${alert}: ${isOver ? `clear after ${(tookMs / 1_000).toFixed(1)} s` : 'STILL FIRING'}`);
      verdicts.find('clears', isOver ? 'ok' : 'lost', `${alert}: ${name}`);
    }),
  );
}

async function until(is: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!is()) {
    if (Date.now() > deadline) return false;
    await wait(100);
  }
  return true;
}

export const scenario = defineScenario({
  about: 'each alert is provoked by a real fault, fires in a real Prometheus, and clears',
  takes: 'about 10 minutes',
  flags: { only: { usual: '', about: 'plays the faults of this alert alone' } },
  run: ({ folder, flags }) => prove(folder, flags.only),
});
