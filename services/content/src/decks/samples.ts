import { ApiError, notFound } from '@hookline/shared/contracts';
import { RenderBusyError, RenderThreadError } from '@hookline/slides';
import type { ContentDeps } from '../deps.ts';

/** The first call draws all samples. */
export async function readSample({ samples }: Pick<ContentDeps, 'samples'>, name: string): Promise<Buffer> {
  const bytes = (await samples().catch(asUnavailable)).get(name);
  if (!bytes) throw notFound('image');
  return bytes;
}

function asUnavailable(error: unknown): never {
  if (!(error instanceof RenderBusyError || error instanceof RenderThreadError)) throw error;
  throw new ApiError('service_unavailable', 'The samples cannot be drawn now; try again.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}
