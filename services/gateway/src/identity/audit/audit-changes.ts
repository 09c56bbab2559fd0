import { matchedRoute } from '@hookline/shared/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import { lockWorkspaceIfAny } from '../standing/queries.ts';
import { auditedDeed } from './audited-deed.rules.ts';
import { insertAudit } from './queries.ts';
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
      deps.afterAnswer.run(() => auditChange(deps, { actor, ...from }, { accountId, ...deed }));
    }
    done();
  });
}

export function isDryRun({ query }: FastifyRequest): boolean {
  return (query as { dryRun?: string }).dryRun === 'true';
}

async function auditChange(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  { actor: { kind, id, name }, ...from }: By,
  entry: AuditEntry,
): Promise<void> {
  await db.transaction(async tx => {
    if (!(await lockWorkspaceIfAny(tx, entry.accountId))) return;
    await insertAudit({ tx, by: { actor: { kind, id, name }, ...from }, now: now() }, entry);
  });
}
