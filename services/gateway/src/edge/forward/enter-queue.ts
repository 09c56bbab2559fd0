import { ApiError } from '@hookline/shared/contracts';
import { type FairQueue, type QueuedRequest, QueueFullError } from '@hookline/shared/kernel';

/**
 * @param service whose answer the request waits for
 * @returns null when it has a slot now
 * @throws ApiError `service_unavailable` when too many requests wait, or rejects with it
 * when it waited too long.
 */
export function enterQueue(queue: FairQueue, request: QueuedRequest, service: string): Promise<void> | null {
  const refuse = (error: unknown): never => {
    if (!(error instanceof QueueFullError)) throw error;
    const message = `Too many requests wait for the ${service} service; try again.`;
    throw new ApiError('service_unavailable', message, { retryAfterSeconds: 2, cause: error });
  };
  try {
    return queue.enter(request)?.catch(refuse) ?? null;
  } catch (error) {
    return refuse(error);
  }
}
