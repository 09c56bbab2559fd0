import type { DeckWriter } from '@hookline/shared/contracts/content';
import {
  createCountMetric,
  createDurationMetric,
  defineMetrics,
  named,
  watchGauge,
} from '@hookline/shared/kernel';
import type { Database } from '@hookline/shared/postgres';
import { type MeasureAnswer, type Writer, WritingRefused } from '@hookline/writer';
import { type AccountDrift, countReserved, findLedgerDrift } from './credits/queries-drift.ts';
import { findPermitAgeSeconds } from './permits/queries.ts';

export const contentMetrics = defineMetrics({
  attributes: {
    'hookline.writer': '`composer` or `llm`.',
    'hookline.writer.repaired':
      'Whether a part was written again or filled by rule: `true` or `false`; absent where no deck was written.',
    'hookline.writer.tokens': '`input` or `output`.',
    'hookline.content.outcome': '`ready`, `failed`, or `refused` where the request ended in an error.',
    'hookline.content.drawn': 'Whether slides were drawn: `true` or `false`.',
    'hookline.content.writer': '`builtin`, `given` or `model`; absent where no deck was made.',
    'hookline.ledger.check':
      '`balances` (against the ledger) or `charges` (against contents that are ready).',
  },
  metrics: {
    generation: {
      ...named('histogram', 'hookline.content.generation.duration', 's'),
      about: 'Duration of making one slideshow: writing, drawing, storing the slides.',
      attributes: [
        'hookline.content.outcome',
        'hookline.content.drawn',
        'hookline.content.writer',
        'error.type',
      ],
    },
    writing: {
      ...named('histogram', 'hookline.content.writing.duration', 's'),
      about: 'Duration of writing the texts of one slideshow, by writer.',
      attributes: ['hookline.writer', 'hookline.writer.repaired', 'error.type'],
    },
    answers: {
      ...named('histogram', 'hookline.content.writing.answer.duration', 's'),
      about: 'Duration of one answer of the text model; a deck takes one to three.',
      attributes: [],
    },
    tokens: {
      ...named('counter', 'hookline.content.writing.tokens', '{token}'),
      about: 'Tokens of the text model, as its endpoint counts them, also of answers that were not used.',
      attributes: ['hookline.writer.tokens'],
    },
    creditsReserved: {
      ...named('gauge', 'hookline.credits.reserved', '{credit}'),
      about: 'Credits set aside for generations that run or wait.',
      attributes: [],
    },
    ledgerDrift: {
      ...named('gauge', 'hookline.ledger.drift', '{credit}'),
      about:
        'Credits by which the ledger and what it must equal differ; 0 always. Once a minute, of the accounts that ' +
        'changed and the next hundred of all; `npm run ops -- check-invariants` checks all.',
      attributes: ['hookline.ledger.check'],
    },
    permitAge: {
      ...named('gauge', 'hookline.permits.age', 's'),
      about: 'Age of the oldest open right to send; 0 when none is open. A call settles within 70 minutes.',
      attributes: [],
    },
  },
});

const { metrics } = contentMetrics;

const recordGeneration = createDurationMetric(metrics.generation);
const recordWriting = createDurationMetric(metrics.writing);
const recordAnswer = createDurationMetric(metrics.answers);
const countTokens = createCountMetric(metrics.tokens);

export const measureAnswer: MeasureAnswer = ({ tokens, durationMs }) => {
  recordAnswer(durationMs, {});
  countTokens({ 'hookline.writer.tokens': 'input' }, tokens.input);
  countTokens({ 'hookline.writer.tokens': 'output' }, tokens.output);
};

type Generated = { status: 'ready'; writer: DeckWriter } | { status: 'failed'; errorCode: string };

export async function measureGeneration<T extends Generated>(
  isDrawn: boolean,
  make: () => Promise<T>,
): Promise<T> {
  const beganMs = performance.now();
  let outcome = 'refused';
  let failure: string | undefined;
  let writer: string | undefined;
  try {
    const generated = await make();
    outcome = generated.status;
    if (generated.status === 'failed') failure = generated.errorCode;
    else writer = generated.writer.kind;
    return generated;
  } catch (error) {
    failure = (error as Error).name;
    throw error;
  } finally {
    recordGeneration(performance.now() - beganMs, {
      'hookline.content.outcome': outcome,
      'hookline.content.drawn': String(isDrawn),
      'hookline.content.writer': writer,
      'error.type': failure,
    });
  }
}

export function measureWriter(name: 'composer' | 'llm', writer: Writer): Writer {
  return {
    async write(request) {
      const beganMs = performance.now();
      let failure: string | undefined;
      let repaired: string | undefined;
      try {
        const deck = await writer.write(request);
        repaired = String(deck.writer.repaired);
        return deck;
      } catch (error) {
        failure = error instanceof WritingRefused ? error.code : (error as Error).name;
        throw error;
      } finally {
        recordWriting(performance.now() - beganMs, {
          'hookline.writer': name,
          'hookline.writer.repaired': repaired,
          'error.type': failure,
        });
      }
    },
  };
}

const driftEveryMs = 60_000;
// Every check repeats at most this many accounts known to differ.
const suspectsMax = 100;

export function watchGauges({ db }: { db: Database }): void {
  watchCredits(db);
  watchPermits(db);
}

function watchPermits(db: Database): void {
  watchGauge(metrics.permitAge, async () => [{ value: await findPermitAgeSeconds(db) }]);
}

function watchCredits(db: Database): void {
  watchGauge(metrics.creditsReserved, async () => [{ value: await countReserved(db) }]);
  let drifting: AccountDrift[] | undefined;
  let sweptTo = '';
  let nextCheckMs = 0;
  watchGauge(metrics.ledgerDrift, async () => {
    if (performance.now() >= nextCheckMs) {
      const suspects = (drifting ?? []).slice(0, suspectsMax).map(account => account.accountId);
      try {
        ({ drifting, sweptTo } = await findLedgerDrift(db, { sweptTo, suspects }));
      } finally {
        // A failure counts too: a database that is too slow must not be queried by every scrape.
        nextCheckMs = performance.now() + driftEveryMs;
      }
    }
    if (drifting === undefined) return [];
    return (['balances', 'charges'] as const).map(check => ({
      value: (drifting ?? []).reduce((sum, account) => sum + account[check], 0),
      attributes: { 'hookline.ledger.check': check },
    }));
  });
}
