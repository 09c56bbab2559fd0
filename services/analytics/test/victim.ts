/** A process of the service to be killed. */
import { runVictim } from '@hookline/testing/victims';
import { createAnalytics } from '../src/service.ts';

await runVictim(createAnalytics);
