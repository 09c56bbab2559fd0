/** Credits: the balance, and the ledger that it is the sum of. */
import { z } from 'zod';
import {
  answerInteger,
  count,
  idField,
  record,
  recordFields,
  requestIdField,
  timestamp,
} from './answer-fields.ts';
import { list, single } from './envelope.ts';
import { exampleIds, listExample, newRecord } from './examples.ts';
import { body, idFilter, pageQuery } from './fields.ts';
import { contentRoute } from './route.ts';

export const Credits = record('Credits', {
  balance: count,
  granted: count,
  spent: count,
  unlimited: z.boolean().meta({
    description: 'True: nothing is refused for the lack of credits; grants are added as they are needed.',
  }),
  dailyGeneration: z.object({ limit: count, used: count, resetsAt: timestamp }),
});
export type Credits = z.infer<typeof Credits>;

export const LedgerRow = record('LedgerRow', {
  ...recordFields,
  amount: answerInteger(-1_000_000, 1_000_000).meta({
    description: 'Signed: grants are positive, charges negative.',
  }),
  reason: z.enum(['grant', 'generation']),
  contentId: idField.nullable(),
  requestId: requestIdField.nullable(),
});
export type LedgerRow = z.infer<typeof LedgerRow>;

const exampleLedgerRow: LedgerRow = {
  id: exampleIds.credit,
  ...newRecord,
  amount: -1,
  reason: 'generation',
  contentId: exampleIds.content,
  requestId: exampleIds.request,
};

export const getCredits = contentRoute('GET /credits', {
  scopes: ['credits:read'],
  summary: 'Get the credit balance',
  description: '`balance` is `granted` less `spent`. `dailyGeneration` resets at midnight UTC.',
  response: single(Credits),
  example: {
    response: {
      data: {
        balance: 24,
        granted: 25,
        spent: 1,
        unlimited: false,
        dailyGeneration: { limit: 200, used: 1, resetsAt: '2026-11-22T00:00:00.000Z' },
      },
    },
  },
});

export const listLedger = contentRoute('GET /credits/ledger', {
  scopes: ['credits:read'],
  summary: 'List ledger rows, newest first',
  description: 'One row for each grant and each charge. The balance is their sum.',
  query: body({ ...pageQuery, contentId: idFilter('content') }),
  response: list(LedgerRow),
  example: {
    response: listExample(exampleLedgerRow),
  },
});
