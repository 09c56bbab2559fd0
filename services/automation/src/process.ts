import { openProcessBus, type ProcessEnvironment, startService } from '@hookline/shared/service';
import { automation } from './service.ts';

/** The automation service as a process of its own. */
export async function startProcess(environment: ProcessEnvironment): Promise<void> {
  const bus = await openProcessBus('automation', environment);
  await startService(automation, { ...environment, bus });
}
