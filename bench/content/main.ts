/**
 * `npm run bench:content [-- --only posts,render,lists]`: POST /content through the whole product, six slides beside
 * satori and Chromium, lists at a million rows. About 4 minutes. Goals are judged by a whole run only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hostTestInfra } from '../../tools/infra/src/test-infra-host.ts';
import { watchOthers } from '../harness/cpu.ts';
import { finishRun } from '../harness/results.ts';
import { requireTool } from '../harness/tools.ts';
import { measureLists } from './lists.ts';
import { measurePosts } from './post.ts';
import { measureRendering } from './render.ts';

const rounds = 5;
const notes = [
  'POST /content: plain slideshow by the built-in composer through one gateway; all five services, Postgres, Kafka, Redis and the load generator share the machine; 40 accounts, every request with a key of its own; limits raised by settings.',
  'Open loop: 300 requests a second for 5 s, measured from the time at which a request should have left. Closed loop: wrk, 1 thread, 32 kept connections, 5 s.',
  'Slides: the same six texts at 1080 x 1920, JPEG quality 88. Ours are drawn in all designs in turn, with their marks and grain; the peers draw one plain design. satori: Inter, resvg-js, sharp (libjpeg-turbo). Chromium: HTML set and screenshot per slide, in one page kept open, and in a browser started for the deck.',
  'CPU is user and system time of the process and its children.',
  'Lists: pages of 100 by the statement of the product, whose plan is checked to read its index alone; ratios to the same page of an account of 1,000 rows.',
];

const parts = {
  posts: (workDir: string) => measurePosts(rounds, workDir),
  render: () => measureRendering(rounds),
  lists: () => measureLists(rounds),
} as const;

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = values.only?.split(',') ?? Object.keys(parts);

const beganAt = new Date();
const workDir = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
const infra = await hostTestInfra(line => console.log(line));
process.env.HOOKLINE_TEST_INFRA_URL = infra.url;
process.once('SIGINT', () => process.exit(130));
try {
  requireTool('wrk', 'wrk');
  const machine = watchOthers();
  const measured: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(parts)) {
    if (!chosen.includes(name)) continue;
    console.log(`${name} ...`);
    Object.assign(measured, await measure(workDir));
  }
  const othersPercent = Math.round(machine.othersShare() * 100);
  const noise = `Other processes used ${othersPercent} % of the machine meanwhile.`;
  if (chosen.length === Object.keys(parts).length) finishRun('content', beganAt, [...notes, noise], measured);
  else
    console.log(
      JSON.stringify(measured, (key, value) => (key === 'rounds' ? undefined : value), 1),
      noise,
    );
} finally {
  await infra.stop();
  rmSync(workDir, { recursive: true, force: true });
}
