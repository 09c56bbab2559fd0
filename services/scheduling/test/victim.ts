/** A process of the service to be killed or stopped. */
import { runVictim } from '@hookline/testing/victims';
import { createScheduling } from '../src/service.ts';

await runVictim(timings => createScheduling({ pollMs: 500, firstPollMs: 50, ...timings }));
