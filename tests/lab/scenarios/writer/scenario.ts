/**
 * A real text model as the writer: by default the smallest there is, which cannot write well and shows that
 * nothing waits for it, breaks or is charged; with `--base-url` any other, to see how well it keeps the rules.
 */
import { startModel } from '../../../../tools/model/start-model.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { type Case, listCases } from './cases.ts';
import { type Model, writeAlone } from './write-alone.ts';
import { type InProduct, writeInProduct } from './write-in-product.ts';

/** Beyond the model's time: drawing, two transactions, a busy machine. */
const marginMs = 3_000 + 4_000;
const startMaxMs = 60_000;

async function prove(model: Model, cases: readonly Case[], alone: number, budget: number): Promise<Outcome> {
  const written = await writeAlone(model, cases.slice(0, alone), budget * 1_000);
  for (const [reason, count] of written.reasons) console.log(`  ${count} x ${reason}`);
  const failing = await writeInProduct(model, cases, 'fail', budget);
  const standing = await writeInProduct(model, cases, 'builtin', budget);
  const longest = Math.max(...failing.ms, ...standing.ms);
  const broken = [failing, standing].reduce(
    (sum, { chargedForFailures, unsettled, refused }) => sum + chargedForFailures + unsettled + refused,
    standing.failed,
  );
  const isInTime = longest <= budget * 1_000 + marginMs && failing.startMs <= startMaxMs + budget * 1_000;
  return {
    isProven: broken === 0 && isInTime && cases.length > 0,
    figures: {
      decks: cases.length,
      'alone, valid at once': `${written.atOnce} of ${alone}`,
      'alone, repaired': written.repaired,
      'alone, failed': written.failed,
      'alone, answers and tokens written': `${written.answers}, ${written.tokens}`,
      'alone, median and longest ms': ofTimes(written.ms),
      ...figuresOf('LLM_ON_FAILURE=fail', failing),
      ...figuresOf('LLM_ON_FAILURE=builtin', standing),
    },
  };
}

function figuresOf(name: string, found: InProduct): Record<string, number | string> {
  const { startMs, atOnce, repaired, byStandIn, failed, notAsked, chargedForFailures, unsettled, ms } = found;
  return {
    [`${name}, start ms`]: Math.round(startMs),
    [`${name}, at once, repaired, stand-in, failed`]: `${atOnce}, ${repaired}, ${byStandIn}, ${failed}`,
    [`${name}, failed without being asked`]: notAsked,
    [`${name}, charged for a failure`]: chargedForFailures,
    [`${name}, unsettled`]: unsettled,
    [`${name}, median and longest ms`]: ofTimes(ms),
  };
}

function ofTimes(ms: readonly number[]): string {
  const sorted = ms.map(Math.round).toSorted((one, other) => one - other);
  return `${sorted[Math.floor(sorted.length / 2)] ?? 0}, ${sorted.at(-1) ?? 0}`;
}

export const scenario = defineScenario({
  about:
    'a real text model writes: valid at once, repaired, failed, never charged for a failure, never awaited in vain',
  takes: 'about 8 minutes with the model that it starts',
  flags: {
    'base-url': { usual: '', about: 'another OpenAI-compatible endpoint; its key is LLM_API_KEY' },
    model: { usual: '', about: 'the model there' },
    decks: { usual: 100, about: 'through the product' },
    alone: { usual: 10, about: 'without product and breaker, each asked for' },
    budget: { usual: 20, about: 'seconds for a deck' },
  },
  async run({ flags }) {
    const cases = listCases(flags.decks);
    const { alone, budget } = flags;
    if (flags['base-url']) {
      const model = { baseUrl: flags['base-url'], name: flags.model, apiKey: process.env.LLM_API_KEY };
      return await prove(model, cases, alone, budget);
    }
    const model = await startModel(line => console.log(`  ${line}`));
    try {
      return await prove({ ...model, apiKey: undefined }, cases, alone, budget);
    } finally {
      await model.stop();
    }
  },
});
