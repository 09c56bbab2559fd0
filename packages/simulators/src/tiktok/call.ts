import type { FastifyReply, FastifyRequest } from 'fastify';
import { dropConnection, meetFault } from '../faults/answers.ts';
import { defaultDelayMs } from '../faults/faults.ts';
import { pause, type World } from '../world.ts';
import { isRefusalCode, type Refusal, refusal, sendOk, sendRefusal } from './envelope.ts';
import { sha256Hex } from './ids.ts';
import type { Creator } from './state.ts';

export type Caller = { creator: Creator; scopes: string[] };

/** True for a body that is typed as JSON: the platforms read no other. */
export function isJson({ headers }: FastifyRequest): boolean {
  return /^application\/json\b/i.test(headers['content-type'] ?? '');
}

/** Data for the envelope (`undefined`: an envelope without `data`), or a refusal. */
export type Outcome = { data: unknown; publishId?: string } | { refused: Refusal };

export type ApiCall = {
  operation: string;
  /** Any one of these authorizes the call. */
  scopes: (request: FastifyRequest) => string[];
  perMinuteMax: (creator: Creator) => number;
  work: (caller: Caller, request: FastifyRequest) => Outcome;
  /** Called with every outcome that got past the token, faults included. */
  record?: (caller: Caller, outcome: Outcome, fault: string | null) => void;
};

const windowMs = 60_000;

/**
 * Checks token, scope, rate limit and injected fault, then runs the work: the order of every TikTok API route
 * here.
 */
export async function runApiCall(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  call: ApiCall,
): Promise<FastifyReply> {
  const token = bearerOf(request);
  const caller = token === null ? null : findCaller(world, token);
  if (token === null || caller === null) return refuse(world, reply, refusal('access_token_invalid'));
  const admitted = admit(world, request, token, caller, call);
  if (admitted !== null) {
    call.record?.(caller, { refused: admitted }, null);
    return refuse(world, reply, admitted);
  }

  const met = await meetFault(world, reply, 'tiktok', call.operation);
  if (met.isAnswered) return reply;
  const kind = met.fault?.kind ?? null;
  if (kind !== null && isRefusalCode(kind)) {
    const refused = {
      ...refusal(kind),
      ...(call.operation === 'creator_info' && isCreatorState(kind) ? { status: 200 } : {}),
    };
    call.record?.(caller, { refused }, kind);
    return refuse(world, reply, refused);
  }

  const outcome = call.work(caller, request);
  call.record?.(caller, outcome, kind);
  if ('refused' in outcome) return refuse(world, reply, outcome.refused);
  return sendAccepted(world, reply, outcome.data, kind, met.fault?.delayMs);
}

async function sendAccepted(
  world: World,
  reply: FastifyReply,
  data: unknown,
  kind: string | null,
  delayMs: number | undefined,
): Promise<FastifyReply> {
  if (kind === 'accepted_answer_dropped') {
    dropConnection(reply);
    return reply;
  }
  if (kind === 'accepted_internal_error') return refuse(world, reply, refusal('internal_error'));
  if (kind === 'accepted_then_slow') await pause(world, delayMs ?? defaultDelayMs);
  sendOk(world, reply, data);
  return reply;
}

function admit(
  world: World,
  request: FastifyRequest,
  token: string,
  caller: Caller,
  call: ApiCall,
): Refusal | null {
  if (!call.scopes(request).some(scope => caller.scopes.includes(scope)))
    return refusal('scope_not_authorized');
  const isWithin = countCall(
    world,
    `${call.operation} ${sha256Hex(token)}`,
    call.perMinuteMax(caller.creator),
  );
  if (!isWithin) return refusal('rate_limit_exceeded');
  return request.method === 'GET' || isJson(request)
    ? null
    : refusal('invalid_param', 'Only application/json is supported as Content-Type.');
}

/**
 * One-minute sliding window per user token; refused calls do not count. Kept in the journal, so that a
 * restart does not reset it.
 */
function countCall(world: World, key: string, perMinuteMax: number): boolean {
  const now = world.now();
  const recent = (world.tiktok.windows.get(key) ?? []).filter(at => at > now - windowMs);
  if (recent.length >= perMinuteMax) return false;
  world.tiktok.windows.put(key, [...recent, now]);
  return true;
}

function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

function findCaller(world: World, token: string): Caller | null {
  const known = world.tiktok.accessTokens.get(sha256Hex(token));
  const creator = known === undefined ? undefined : world.tiktok.creators.get(known.username);
  if (known === undefined || creator === undefined || known.expiresAt <= world.now()) return null;
  return { creator, scopes: known.scopes };
}

// creator_info reports these states with HTTP 200, on purpose.
function isCreatorState(code: string): boolean {
  return code.startsWith('spam_risk') || code === 'reached_active_user_cap';
}

function refuse(world: World, reply: FastifyReply, refused: Refusal): FastifyReply {
  sendRefusal(world, reply, refused);
  return reply;
}
