import { openProcessBus, type ProcessEnvironment, startService } from '@hookline/shared/service';
import { content } from './service.ts';

/** The content service as a process of its own. */
export async function startProcess(environment: ProcessEnvironment): Promise<void> {
  const bus = await openProcessBus('content', environment);
  await startService(content, { ...environment, bus });
}
