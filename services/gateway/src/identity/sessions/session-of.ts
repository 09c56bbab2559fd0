/** The session of a request that the gate admitted with one, and what the audit log says of it. */
import type { Transaction } from '@hookline/shared/postgres';
import type { FastifyRequest } from 'fastify';
import type { IdentityDeps } from '../../identity-deps.ts';
import type { By, From } from '../audit/record.ts';
import type { SessionRow } from './record.ts';

export function sessionOf(request: FastifyRequest): SessionRow {
  if (!request.session) throw new Error('the gate admitted a request without a session');
  return request.session;
}

export function fromOf(deps: Pick<IdentityDeps, 'clientAddress'>, request: FastifyRequest): From {
  const client = request.headers['user-agent']?.slice(0, 300) || null;
  return { address: deps.clientAddress(request), requestId: request.id, client };
}

export function byOf(deps: Pick<IdentityDeps, 'clientAddress'>, request: FastifyRequest): By {
  return { actor: sessionOf(request).actor, ...fromOf(deps, request) };
}

export type SessionContext = { tx: Transaction; by: By; session: SessionRow };

export function contextOf(
  deps: Pick<IdentityDeps, 'clientAddress'>,
  tx: Transaction,
  request: FastifyRequest,
): SessionContext {
  return { tx, by: byOf(deps, request), session: sessionOf(request) };
}
