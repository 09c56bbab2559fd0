/** A process of the service to be killed or stopped. */
import { runVictim } from '@hookline/testing/victims';
import { createScheduling } from '../src/service.ts';
import { createInstagram } from './instagram/carrier.ts';

await runVictim((timings, { INSTAGRAM_URL }) =>
  createScheduling(
    { pollMs: 500, firstPollMs: 50, ...timings },
    INSTAGRAM_URL ? { instagram: createInstagram(INSTAGRAM_URL) } : {},
  ),
);
