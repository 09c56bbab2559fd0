import { onePerPoll, type Worker } from '@hookline/shared/service';
import type { AnalyticsDeps } from '../deps.ts';
import { type OnNumbers, teachApps } from './teach.ts';

export function teachAppsWorker(deps: AnalyticsDeps, also: OnNumbers): Worker {
  return { name: 'teach-apps', work: onePerPoll(() => teachApps(deps, also)), pollMs: deps.timings.pollMs };
}
