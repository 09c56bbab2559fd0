/**
 * A POST whose whole effect is one transaction: with an `Idempotency-Key`, its reply is stored in that
 * transaction.
 */
import type { FastifyInstance } from 'fastify';
import type { ResponseOf, RouteContract } from '../contracts/route.ts';
import { newId } from '../kernel/index.ts';
import type { Database, Transaction } from '../postgres/index.ts';
import { claimKey, claimOrWait, completeKey, findReply, type Replay } from '../postgres/index.ts';
import {
  addRoute,
  answerText,
  jsonHeaders,
  RawAnswer,
  type RouteHandler,
  type RouteInput,
} from './routes.ts';

export type WriteSteps<R extends RouteContract, P> = {
  /** Reads and checks before the transaction; may call other services. Must not change anything. */
  prepare?(input: RouteInput<R>): Promise<P> | P;
  /** The effect. All of it must be in the transaction. */
  write(tx: Transaction, input: RouteInput<R>, prepared: P): Promise<ResponseOf<R>>;
  /** Called once the effect is committed, for metrics. */
  written?(answer: ResponseOf<R>): void;
  /** Runs the transaction, for an action that retries it. Default: once. */
  around?<T>(attempt: () => Promise<T>): Promise<T>;
  /** The text to store for a repeat where it must differ from the answer: a secret is never stored. */
  keep?(answer: ResponseOf<R>, input: RouteInput<R>): string;
  /** The text to answer a repeat with, made from what `keep` stored. */
  restore?(kept: Replay, input: RouteInput<R>): Promise<string> | string;
};

/** Database and clock of a write. */
export type WriteDeps = { db: Database; now: () => Date };

/**
 * Registers a POST whose contract honours an `Idempotency-Key`. A crash at any point leaves both the effect
 * and the stored reply, or neither. A repeat while the first request runs waits for it up to 10 s; refusals
 * are not stored.
 */
export function addWriteRoute<const R extends RouteContract, P = undefined>(
  app: FastifyInstance,
  deps: WriteDeps,
  contract: R,
  steps: WriteSteps<R, P>,
  prefix?: string,
): void {
  const handler = (input: RouteInput<R>) =>
    input.idempotencyKey === null
      ? writeOnce(deps, steps, input)
      : writeUnderKey(deps, contract, steps, input, input.idempotencyKey);
  addRoute(app, contract, handler as RouteHandler<R>, prefix);
}

async function prepare<R extends RouteContract, P>(
  steps: WriteSteps<R, P>,
  input: RouteInput<R>,
): Promise<P> {
  // Without the step P is undefined.
  return steps.prepare ? await steps.prepare(input) : (undefined as P);
}

async function writeOnce<R extends RouteContract, P>(
  { db }: WriteDeps,
  steps: WriteSteps<R, P>,
  input: RouteInput<R>,
): Promise<ResponseOf<R>> {
  const prepared = await prepare(steps, input);
  const answer = await around(steps, () => db.transaction(tx => steps.write(tx, input, prepared)));
  steps.written?.(answer);
  return answer;
}

async function writeUnderKey<R extends RouteContract, P>(
  { db, now }: WriteDeps,
  contract: R,
  steps: WriteSteps<R, P>,
  input: RouteInput<R>,
  key: string,
): Promise<RawAnswer> {
  const scope = { accountId: input.caller?.accountId ?? '', route: routeOf(contract, input.params), key };
  // A repeat must not prepare again. Without that step the claim below finds the reply, for a statement less.
  const known = steps.prepare ? await findReply(db, scope, input.body, now()) : null;
  if (known) return await replay(steps, known, input);
  const prepared = await prepare(steps, input);
  const attempt = () =>
    claimOrWait(db, async tx => {
      const at = now();
      // The row is never visible as running, so no other request reads the id or the lease.
      const claim = await claimKey(tx, {
        ...scope,
        body: input.body,
        resourceId: newId('req'),
        leaseMs: 0,
        now: at,
      });
      if (claim.kind !== 'claimed') return claim;
      const answer = await steps.write(tx, input, prepared);
      const text = answerText(contract, answer);
      const body = steps.keep ? steps.keep(answer, input) : text;
      await completeKey(tx, claim.lease, { status: contract.status, body });
      return { kind: 'written' as const, text, answer };
    });
  const result = await around(steps, attempt);
  if (result.kind === 'replay') return await replay(steps, result, input);
  steps.written?.(result.answer);
  return new RawAnswer(contract.status, result.text, jsonHeaders);
}

function around<R extends RouteContract, P, T>(
  steps: WriteSteps<R, P>,
  attempt: () => Promise<T>,
): Promise<T> {
  return steps.around ? steps.around(attempt) : attempt();
}

async function replay<R extends RouteContract, P>(
  steps: WriteSteps<R, P>,
  known: Replay,
  input: RouteInput<R>,
): Promise<RawAnswer> {
  const text = steps.restore ? await steps.restore(known, input) : known.body;
  return replayAnswer(known.status, text);
}

/** The stored reply of an earlier request with the same key. */
export function replayAnswer(status: number, body: string): RawAnswer {
  return new RawAnswer(status, body, { ...jsonHeaders, 'idempotent-replayed': 'true' });
}

/** Method and path of a request, for which a key is valid. @param params the path's parameters, as given */
export function routeOf({ method, path }: RouteContract, params: unknown): string {
  const given = params as Record<string, string>;
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))}`;
}
