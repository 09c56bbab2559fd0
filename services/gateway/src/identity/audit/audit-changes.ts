import { honoursKey } from '@hookline/shared/contracts/route';
import { matchedRoute, readIdempotencyKey } from '@hookline/shared/http';
import { deriveId } from '@hookline/shared/kernel/derive-id';
import { dayMs } from '@hookline/shared/kernel/durations';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { lockWorkspaceIfAny } from '../standing/queries.ts';
import { auditedDeed } from './audited-deed.rules.ts';
import { insertAudit, isAuditedSince } from './queries.ts';
import type { AuditEntry, By } from './record.ts';

export function auditChanges(
  app: FastifyInstance,
  deps: Pick<IdentityDeps, 'db' | 'now' | 'clientAddress' | 'afterAnswer'>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const contract = matchedRoute(request).config.route?.contract;
    const caller = request.call?.caller;
    const deed = contract && auditedDeed(contract.id, request.params as { id?: string }, request.body);
    if (deed && caller?.actor && reply.raw.statusCode < 300 && !isDryRun(request)) {
      const { accountId, actor } = caller;
      const from = { address: deps.clientAddress(request), requestId: request.id };
      const key = honoursKey(contract) ? readIdempotencyKey(request, 'honoured') : null;
      const parts = [accountId, contract.id, deed.subject.id ?? ''];
      const idOn = (at: Date) =>
        key === null ? undefined : deriveId('audit', ...parts, key, at.toISOString().slice(0, 10));
      deps.afterAnswer.run(() => auditChange(deps, { actor, ...from }, { accountId, ...deed }, idOn));
    }
    done();
  });
}

export function isDryRun({ query }: FastifyRequest): boolean {
  return (query as { dryRun?: string }).dryRun === 'true';
}

/** @param idOn a repeat has the same id. A key is remembered for 24 hours, so another day is part of it. */
async function auditChange(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  { actor: { kind, id, name }, ...from }: By,
  entry: AuditEntry,
  idOn: (at: Date) => string | undefined,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockWorkspaceIfAny(tx, entry.accountId))) return;
    const at = now();
    const dayBefore = new Date(at.getTime() - dayMs);
    if (await isAuditedSince(tx, idOn(dayBefore), dayBefore)) return;
    await insertAudit({ tx, by: { actor: { kind, id, name }, ...from }, now: at }, entry, idOn(at));
  });
}
