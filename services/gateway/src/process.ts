import type { ProcessEnvironment } from '@hookline/shared/service';
import { startGateway } from './gateway.ts';

/** The gateway as a process of its own. */
export async function startProcess(environment: ProcessEnvironment): Promise<void> {
  await startGateway(environment);
}
