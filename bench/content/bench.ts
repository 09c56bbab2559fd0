/**
 * POST /content through the whole product, six slides compared with satori and Chromium and in every
 * template, lists at a million rows.
 */
import { defineBench } from '../harness/bench.ts';
import { requireTool } from '../harness/tools.ts';
import { measureTemplates } from './draw-templates.ts';
import { measureLists } from './lists.ts';
import { measurePosts } from './post.ts';
import { measureRendering } from './render.ts';

const rounds = 5;
const notes = [
  'POST /content: plain slideshow by the built-in composer through one gateway; all five services, Postgres, Kafka, Redis and the load generator share the machine; 40 accounts, every request with a key of its own; limits raised by settings.',
  'Open loop: 300 requests a second for 5 s, measured from the time at which a request should have left. Closed loop: wrk, 1 thread, 32 kept connections, 5 s.',
  'Slides: the same six texts at 1080 x 1920, JPEG quality 88. Ours are drawn in all designs in turn, with their marks and grain; the peers draw one plain design. satori: Inter, resvg-js, sharp (libjpeg-turbo). Chromium: HTML set and screenshot per slide, in one page kept open, and in a browser started for the deck.',
  'Templates: the same six texts, over three photos of 1440 x 1920 px with noise or three screenshots of 1290 x 2796 px, in one process.',
  'CPU is user and system time of the process and its children.',
  'Lists: pages of 100 by the statement of the product, whose plan is checked to read its index alone; ratios to the same page of an account of 1,000 rows.',
];

const parts = {
  posts: (workDir: string) => measurePosts(rounds, workDir),
  render: () => measureRendering(rounds),
  templates: async () => ({ templates: await measureTemplates(rounds) }),
  lists: () => measureLists(rounds),
} as const;

export const bench = defineBench({
  about:
    'POST /content through the whole product, six slides compared with satori and Chromium and in every template, lists at a million rows',
  takes: 'about 4 minutes',
  flags: { only: { usual: '', about: `of ${Object.keys(parts).join(',')}` } },
  async run({ workDir, flags, beginMeasuring }) {
    requireTool('wrk', 'wrk');
    beginMeasuring();
    const chosen = flags.only === '' ? Object.keys(parts) : flags.only.split(',');
    const measured: Record<string, unknown> = {};
    for (const [name, measure] of Object.entries(parts)) {
      if (!chosen.includes(name)) continue;
      console.log(`${name} ...`);
      Object.assign(measured, await measure(workDir));
    }
    return { notes, measured, isPart: chosen.length < Object.keys(parts).length };
  },
});
