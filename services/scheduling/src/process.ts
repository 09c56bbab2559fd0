import { openProcessBus, type ProcessEnvironment, startService } from '@hookline/shared/service';
import { scheduling } from './service.ts';

/** The scheduling service as a process of its own. */
export async function startProcess(environment: ProcessEnvironment): Promise<void> {
  const bus = await openProcessBus('scheduling', environment);
  await startService(scheduling, { ...environment, bus });
}
