/**
 * Keys and limits at three real gateways over real Redis and Postgres, judged from the history of clients'
 * answers.
 */
import { join } from 'node:path';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { runCharges } from './charges.ts';
import { createClient, signUp } from './client.ts';
import { createRecorder, readHistory } from './history.ts';
import { judge } from './judge.ts';
import { runKeyForm } from './key-form.ts';
import { runOutage } from './outage.ts';
import { runRetryAfter } from './retry-after.ts';
import { type Stack, startStack } from './stack.ts';
import { runWindowLoad } from './window-load.ts';

const usual = {
  mistyped: 3_000,
  windows: { lanesOfEachKind: 6, runMs: 64_500, spreadMs: 4_000 },
  retries: { lanes: 120, runMs: 72_000 },
  chargeRounds: 2,
  calmMs: 8_000,
  least: { retrySamples: 400, sentAfterRevocation: 20_000, windowsFilledAgain: 20 },
};
const long = {
  mistyped: 20_000,
  windows: { lanesOfEachKind: 12, runMs: 186_000, spreadMs: 45_000 },
  retries: { lanes: 300, runMs: 186_000 },
  chargeRounds: 10,
  calmMs: 30_000,
  least: { retrySamples: 10_000, sentAfterRevocation: 100_000, windowsFilledAgain: 40 },
};

async function prove(folder: string, size: typeof usual): Promise<Outcome> {
  const stack = await startStack(folder);
  const file = join(folder, 'history.jsonl');
  const recorder = createRecorder(file);
  const client = createClient(stack.urls, recorder);
  const user = await signUp(client, ['apps:read', 'content:write', 'schedules:read']);
  try {
    const form = await runKeyForm(stack, client, user, { requests: size.mistyped, strings: 10_000_000 });
    say('G-K1 done');
    await Promise.all([
      runWindowLoad(client, user, { part: 'windows', ...size.windows }),
      runRetryAfter(client, user, { part: 'retry', ...size.retries }),
    ]);
    say('G-K4, G-K5 done');
    const charges = await runCharges(client, { rounds: size.chargeRounds, requests: 1_000 });
    const early = stack.fallbacks();
    say('G-K9 done');
    await runOutage(stack, client, user, recorder, {
      connections: 200,
      calmMs: size.calmMs,
      killedMs: 30_000,
      lanesOfEachKind: 3,
      usesOfRevoked: size.least.sentAfterRevocation,
    });
    say('G-K3, G-K7 done');
    await recorder.close();
    const { complaints, figures } = judge(await readHistory(file), form, charges, size.least);
    complaints.push(...untouched(stack, early));
    for (const complaint of complaints) console.log(`  ${complaint}`);
    return { isProven: complaints.length === 0, figures };
  } catch (error) {
    console.log(stack.lastLines());
    throw error;
  } finally {
    client.close();
    await stack.stop();
  }
}

/** The exact limits hold while Redis keeps its data: it must have been up, and later down. */
function untouched({ ways, fallbacks }: Stack, early: number): string[] {
  const [cut, silent] = ways;
  return [
    ...(early > 0 ? [`${early} gateways lost Redis while nothing was broken: the machine is too busy`] : []),
    ...(cut?.disturbed && silent?.disturbed ? [] : ['the ways to Redis were not disturbed']),
    // One was cut off, one waited in vain, and all three lost it when it was killed.
    ...(fallbacks() - early >= 5 ? [] : [`a gateway noticed only ${fallbacks() - early} times of 5`]),
  ];
}

function say(line: string): void {
  console.log(`  ${line}, ${Math.round(performance.now() / 1_000)} s`);
}

export const scenario = defineScenario({
  about: 'keys, limits, revocation and charges at three gateways, with Redis cut off, silent and killed',
  takes: 'about 4 minutes',
  long: 'the full counts of the goals, about 7 minutes',
  run: ({ folder, isLong }) => prove(folder, isLong ? long : usual),
});
