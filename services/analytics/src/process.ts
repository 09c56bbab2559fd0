import { openProcessBus, type ProcessEnvironment, startService } from '@hookline/shared/service';
import { analytics } from './service.ts';

/** The analytics service as a process of its own. */
export async function startProcess(environment: ProcessEnvironment): Promise<void> {
  const bus = await openProcessBus('analytics', environment);
  await startService(analytics, { ...environment, bus });
}
