import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { AnalyticsDeps } from '../deps.ts';
import { teachApps } from './teach.ts';

export function teachAppsWorker(deps: AnalyticsDeps): Worker {
  return { name: 'teach-apps', work: onePerPoll(() => teachApps(deps)), pollMs: deps.timings.pollMs };
}
