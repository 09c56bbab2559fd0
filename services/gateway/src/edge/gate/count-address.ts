import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EdgeDeps } from '../../edge-deps.ts';
import { apiRoot, consoleRoot } from '../../public-api.ts';
import { countOrRefuse, createWindows, refuseWhenFull } from '../limits/windows.ts';
import { acceptOrThrow } from './authenticate-key.ts';

/** The windows of network addresses. @throws ApiError `rate_limited`, each */
export type AddressCounts = {
  countApi(request: FastifyRequest): Promise<void>;
  /** Counts images, pages and health, of which a page loads many. */
  countOther(request: FastifyRequest): void;
  /** Counts a request only if its answer is a refusal: this slows down guessing but not the platform. */
  countWhenRefused(request: FastifyRequest, reply: FastifyReply): void;
  countUnrouted(request: FastifyRequest): Promise<void>;
};

export function createAddressCounts({
  admissions,
  clientAddress,
  limits,
}: Pick<EdgeDeps, 'admissions' | 'clientAddress' | 'limits'>): AddressCounts {
  const otherPerIp = limits.perIp * 10;
  const otherWindows = createWindows(20_000);
  const refusedWindows = createWindows(20_000);

  async function countApi(request: FastifyRequest): Promise<void> {
    const ip = clientAddress(request);
    acceptOrThrow(await admissions.admit({ ip, keyHash: null, isContent: false }));
  }

  function countOther(request: FastifyRequest): void {
    countOrRefuse(otherWindows, [{ name: clientAddress(request), limit: otherPerIp }]);
  }

  return {
    countApi,
    countOther,
    countWhenRefused(request, reply) {
      // Read now: a closed socket has no address.
      const name = clientAddress(request);
      refuseWhenFull(refusedWindows, [{ name, limit: otherPerIp }]);
      reply.raw.once('close', () => {
        const { statusCode } = reply.raw;
        if (statusCode === 401 || statusCode === 404)
          refusedWindows.take(name, otherPerIp, performance.now());
      });
    },
    async countUnrouted(request) {
      if (isApiPath(request.url)) await countApi(request);
      else countOther(request);
    },
  };
}

function isApiPath(url: string): boolean {
  return [apiRoot, consoleRoot].some(root => url.startsWith(`${root}/`) || url === root);
}
