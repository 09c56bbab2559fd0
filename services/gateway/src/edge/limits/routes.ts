import { getCreditsOfCaller } from '@hookline/shared/contracts/internal';
import type { UsageRow } from '@hookline/shared/contracts/usage';
import * as contracts from '@hookline/shared/contracts/usage';
import type { Caller } from '@hookline/shared/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EdgeDeps } from '../../edge-deps.ts';
import { keyHashOf } from '../../identity/keys/credential.ts';
import { countLiveKeys } from '../../identity/keys/queries.ts';
import { addOwnRoute } from '../../identity/sessions/own-route.ts';
import { toWorkspaceId } from '../../identity/standing/workspace.rules.ts';
import { perSession, type WindowsUsage } from './admission.ts';

export function addUsageRoutes(app: FastifyInstance, deps: EdgeDeps): void {
  const { db, limits, keysMax, now } = deps;

  addOwnRoute(app, contracts.getUsage, async ({ caller, request }) => {
    const { perIp, perKey, contentPerKey } = await windowsOf(deps, request);
    const keys = await countLiveKeys(db, caller.accountId, now());
    const daily = await dailyGeneration(deps, caller);
    const at = now();
    return {
      data: {
        workspaceId: toWorkspaceId(caller.accountId),
        windows: [
          toUsageRow('requests_per_address', limits.perIp, perIp, at),
          toUsageRow('requests', request.session ? perSession(limits) : limits.perKey, perKey, at),
          toUsageRow('generations', limits.contentPerKey, contentPerKey, at),
        ],
        ceilings: [
          toUsageRow('keys', keysMax, { used: keys, resetsInMs: null }, at),
          ...(daily ? [{ name: 'daily_generation', ...daily }] : []),
        ],
      },
    };
  });
}

async function windowsOf(deps: EdgeDeps, request: FastifyRequest): Promise<WindowsUsage> {
  const { admissions, clientAddress, cookieWindows } = deps;
  const ip = clientAddress(request);
  const { session } = request;
  if (!session) return await admissions.usage({ ip, keyHash: keyHashOf(deps.inside, request) });
  const { perIp } = await admissions.usage({ ip, keyHash: null });
  const nowMs = performance.now();
  return {
    perIp,
    perKey: cookieWindows.usage(session.id, nowMs),
    contentPerKey: cookieWindows.usage(`content ${session.id}`, nowMs),
  };
}

/**
 * Null for a caller who may not read it, and while the content service is away: the
 * windows are known without it.
 */
async function dailyGeneration({ peers, log }: EdgeDeps, caller: Caller) {
  if (!caller.scopes.includes('credits:read')) return null;
  try {
    const { data } = await peers.call(getCreditsOfCaller, { body: {}, caller });
    return data.dailyGeneration;
  } catch (error) {
    log.debug({ err: error }, 'the credits could not be read');
    return null;
  }
}

export function toUsageRow(
  name: string,
  limit: number,
  { used, resetsInMs }: { used: number; resetsInMs: number | null },
  now: Date,
): UsageRow {
  const resetsAt = resetsInMs === null ? null : new Date(now.getTime() + resetsInMs).toISOString();
  return { name, limit, used, resetsAt };
}
