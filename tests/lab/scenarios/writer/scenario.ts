/**
 * A real text model as the writer: by default one that cannot write, which shows that nothing waits for it,
 * breaks or is charged; with `--served` a small one that follows instructions; with `--base-url` any other,
 * to see how well it keeps the rules.
 */
import { type ModelName, models, startModel } from '../../../../tools/model/start-model.ts';
import { UsageError } from '../../kit/run/flags.ts';
import { defineScenario, type Outcome } from '../../kit/run/scenario.ts';
import { type Case, listCases } from './cases.ts';
import { type Model, writeAlone } from './write-alone.ts';
import { type InProduct, writeInProduct } from './write-in-product.ts';

/** Beyond the model's time: drawing, two transactions, a busy machine. */
const marginMs = 3_000 + 4_000;
const startMaxMs = 60_000;

async function prove(model: Model, cases: readonly Case[], alone: number, budget: number): Promise<Outcome> {
  const written = await writeAlone(model, listCases(alone), budget * 1_000);
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
      'seconds for each': budget,
      'alone: asked': alone,
      'alone: at once': written.atOnce,
      'alone: repaired': written.repaired,
      'alone: failed': written.failed,
      'alone: answers': written.answers,
      'alone: tokens': written.tokens,
      'alone: median and longest': ofTimes(written.ms),
      ...figuresOf('fail', failing),
      ...figuresOf('builtin', standing),
    },
  };
}

/** @param name the value of LLM_ON_FAILURE */
function figuresOf(name: string, found: InProduct): Record<string, number | string> {
  const { startMs, atOnce, repaired, byStandIn, failed, notAsked, chargedForFailures, unsettled, ms } = found;
  return {
    [`${name}: started after`]: `${(startMs / 1_000).toFixed(0)} s`,
    [`${name}: at once`]: atOnce,
    [`${name}: repaired`]: repaired,
    [`${name}: by the composer`]: byStandIn,
    [`${name}: failed`]: failed,
    [`${name}: of them without asking`]: notAsked,
    [`${name}: charged for a failure`]: chargedForFailures,
    [`${name}: unsettled`]: unsettled,
    [`${name}: median and longest`]: ofTimes(ms),
  };
}

function ofTimes(ms: readonly number[]): string {
  const sorted = ms.map(Math.round).toSorted((one, other) => one - other);
  return `${sorted[Math.floor(sorted.length / 2)] ?? 0} and ${sorted.at(-1) ?? 0} ms`;
}

export const scenario = defineScenario({
  about:
    'a real text model writes: valid at once, repaired, failed, never charged for a failure, never awaited in vain',
  takes: 'about 8 minutes with the model that it starts',
  flags: {
    served: {
      usual: 'gemma-3-270m',
      about: `the model that the proof starts: ${Object.keys(models).join(' or ')}`,
    },
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
    if (!Object.hasOwn(models, flags.served))
      throw new UsageError(`There is no model "${flags.served}" to serve.`);
    const model = await startModel(flags.served as ModelName, line => console.log(`  ${line}`));
    try {
      return await prove({ ...model, apiKey: undefined }, cases, alone, budget);
    } finally {
      await model.stop();
    }
  },
});
