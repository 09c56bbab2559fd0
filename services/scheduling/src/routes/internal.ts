import { findSchedulesOfFirings } from '@hookline/shared/contracts/internal';
import { addInternalRoute } from '@hookline/shared/http';
import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { type FiringAnswer, listAnswersToFirings } from '../queries/reconciled.ts';

/** What automation asks when it has heard nothing of a firing for long. */
export function addInternalRoutes(app: FastifyInstance, { db }: Pick<Parts, 'db'>): void {
  addInternalRoute(app, findSchedulesOfFirings, async ({ body: { firingIds } }) => {
    const found = new Map((await listAnswersToFirings(db, firingIds)).map(row => [row.firingId, row]));
    return { answers: firingIds.map(id => toAnswer(found.get(id))) };
  });
}

function toAnswer(row: FiringAnswer | undefined) {
  if (!row) return { schedule: null, request: 'none' as const };
  const { id, contentId, status, failure, request } = row;
  if (id === null || contentId === null || status === null) return { schedule: null, request };
  return { schedule: { id, contentId, status, failure }, request };
}
