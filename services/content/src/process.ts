import { startService } from '@hookline/shared/service';
import { openProcessBus, type ProcessEnvironment } from '@hookline/shared/service-process';
import { content } from './service.ts';

/** The content service as a process of its own. */
export async function startProcess(environment: ProcessEnvironment): Promise<void> {
  const bus = await openProcessBus('content', environment);
  await startService(content, { ...environment, bus });
}
