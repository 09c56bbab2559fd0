import { findBrokenBriefRules, findPromisedCount, planDeck, seedRandom } from '@hookline/deck';
import type { Logger } from '@hookline/shared/kernel';
import { extractMaterial, type Material } from '../listing/material.ts';
import { type Archetype, type WriteRequest, type Writer, WritingRefused, type WrittenDeck } from '../port.ts';
import { isRefusedTopic } from '../text-filters.ts';
import { type AnswerWanted, answerSchema, type ModelAnswer, readAnswer } from './answer.ts';
import { type ChatAnswer, type ChatSettings, ChatUnavailableError, createChatClient } from './chat-client.ts';
import { wordsOf } from './foreign-names.ts';
import { firstMessages, withBrokenRules } from './prompt.ts';
import { type BrokenRule, findBrokenTextRules } from './text-rules.ts';

export type LlmWriter = Writer & { close(): Promise<void> };

// The part of a generation's 8 s that is left when up to 35 slides have to be drawn and stored, or none.
const drawnBudgetMs = 5_000;
const plainBudgetMs = 7_000;
/** The first answer and two corrections. */
const answersMax = 3;
const hookOptionsMin = 3;

/**
 * A writer that asks an OpenAI-compatible endpoint. Its answers are checked by the composer's rules. An
 * answer that breaks one is requested again with the broken rule named, up to three answers in total, within
 * 7 s (5 s for decks that are drawn). Throws `WritingRefused`: `topic_refused`; `writer_refused` when the
 * model declines; `writer_unusable` when no answer kept the rules; `writer_unavailable` when the endpoint
 * cannot be reached. Never falls back to another writer.
 */
export function createLlmWriter(settings: ChatSettings, log: Logger): LlmWriter {
  const client = createChatClient(settings);
  return {
    async write(request) {
      const work = prepare(request);
      const startedMs = performance.now();
      const budgetMs = request.brief.templateId === 'quote-card' ? drawnBudgetMs : plainBudgetMs;
      let messages = firstMessages({ ...work, app: request.app, brief: request.brief });
      let broken: BrokenRule[] = [];
      for (let answers = 1; answers <= answersMax; answers += 1) {
        const answer = await client
          .ask({
            messages,
            schema: answerSchema(work.wanted),
            deadlineMs: startedMs + budgetMs,
          })
          .catch(error => refuseUnavailable(error, broken, log));
        const judged = judge(answer, request, work);
        const line = {
          model: settings.model,
          answers,
          durationMs: Math.round(performance.now() - startedMs),
        };
        if ('deck' in judged) {
          log.info({ ...line, tokens: answer.kind === 'text' ? answer.tokens : null }, 'deck written');
          return judged.deck;
        }
        ({ broken } = judged);
        // Logs rules only: the model's text is the customer's and stays out of the log.
        log.info({ ...line, broken: broken.map(({ where, rule }) => `${where} ${rule}`) }, 'answer refused');
        messages = withBrokenRules(messages, answer.kind === 'text' ? answer.content : '', broken);
      }
      throw unusable(broken);
    },
    close: () => client.close(),
  };
}

type Work = { material: Material; archetype: Archetype; wanted: AnswerWanted };

function prepare({ seed, app, brief }: WriteRequest): Work {
  if (isRefusedTopic(brief.topic ?? '')) {
    throw new WritingRefused(
      'topic_refused',
      'brief.topic is about something that is not written about here',
    );
  }
  const material = extractMaterial(app);
  const plan = planDeck(brief);
  const archetype = brief.archetype ?? chooseArchetype(brief.hook, seed);
  const isCounted = archetype === 'listicle' && plan.bodyCount >= 2;
  const wanted = { plan, hasHook: brief.hook !== undefined, isCounted, appName: material.name.short };
  return { material, archetype, wanted };
}

/** A given hook decides the archetype; without one the seed decides, since a list is as good as any. */
function chooseArchetype(hook: string | undefined, seed: string): Archetype {
  if (hook !== undefined && /^\s*pov\b/i.test(hook)) return 'pov_results';
  if (hook !== undefined && findPromisedCount(hook) !== null) return 'listicle';
  return seedRandom(seed, 'archetype').pick<Archetype>([
    'listicle',
    'transformation',
    'pov_results',
    'authority',
    'motivational',
  ]);
}

/** The answer as a deck, or every rule that it breaks. @throws WritingRefused when the model declines */
function judge(
  answer: ChatAnswer,
  request: WriteRequest,
  work: Work,
): { deck: WrittenDeck } | { broken: BrokenRule[] } {
  if (answer.kind === 'refused') {
    throw new WritingRefused(
      'writer_refused',
      'The text model declined to write about this; nothing was charged.',
    );
  }
  if (answer.kind === 'cut')
    return { broken: [{ where: 'the answer', rule: 'was cut off; keep it shorter' }] };
  const read = readAnswer(answer.content);
  if (!read) return { broken: [{ where: 'the answer', rule: 'must be one JSON object of the schema' }] };
  const deck = toDeck(read, request, work);
  const context = {
    brief: request.brief,
    appName: work.wanted.appName,
    known: wordsOf(`${work.material.haystack} ${request.brief.topic ?? ''} ${request.brief.hook ?? ''}`),
    language: deck.language,
  };
  const tried = dropBadHooks(deck, work, findBrokenTextRules(deck, context));
  const broken = [
    ...findBrokenBriefRules(request.brief, tried).map(rule => ({ where: 'the deck:', rule })),
    ...findBrokenTextRules(tried, context),
  ];
  return broken.length === 0 ? { deck: tried } : { broken };
}

function toDeck(answer: ModelAnswer, { brief }: WriteRequest, { archetype }: Work): WrittenDeck {
  const { language, bodySlides, ctaSoft, ctaHard, caption, hashtags } = answer;
  // A given hook is used byte for byte and never taken from the model's answer.
  const hookOptions =
    brief.hook === undefined ? [...new Set(answer.hookOptions ?? [])].slice(0, 5) : [brief.hook];
  const bodies = bodySlides.map(text => ({ text }));
  return {
    result: {
      hook: hookOptions[0] ?? '',
      hookOptions,
      bodySlides: bodies,
      ctaSoft,
      ctaHard,
      caption,
      hashtags,
    },
    archetype,
    ctaMode: brief.ctaMode ?? 'soft',
    language,
  };
}

/** Drops hooks that break a rule when three good ones remain, instead of requesting the deck again. */
function dropBadHooks(deck: WrittenDeck, { wanted }: Work, broken: readonly BrokenRule[]): WrittenDeck {
  if (wanted.hasHook) return deck;
  const bad = new Set(broken.map(({ where }) => where));
  const { bodyCount } = wanted.plan;
  const good = deck.result.hookOptions.filter((hook, i) => {
    const promised = findPromisedCount(hook);
    const keepsCount = promised === bodyCount || (promised === null && !wanted.isCounted);
    return keepsCount && !bad.has(`hookOptions[${i}]`);
  });
  if (good.length < hookOptionsMin) return deck;
  return { ...deck, result: { ...deck.result, hook: good[0]!, hookOptions: good } };
}

function refuseUnavailable(error: unknown, broken: readonly BrokenRule[], log: Logger): never {
  if (!(error instanceof ChatUnavailableError)) throw error;
  log.warn({ reason: error.message }, 'the text model cannot be had');
  // Timed out during a correction: the broken rules say more than the timeout.
  if (broken.length > 0) throw unusable(broken);
  throw new WritingRefused(
    'writer_unavailable',
    `The text model could not be asked (${error.message}); nothing was charged. Try again in a minute with a new Idempotency-Key.`,
  );
}

function unusable(broken: readonly BrokenRule[]): WritingRefused {
  const first = broken[0];
  const rule = first ? `${first.where} ${first.rule}` : 'no answer';
  return new WritingRefused(
    'writer_unusable',
    `The text model did not keep to the rules (${rule}); nothing was charged. Try again with a new Idempotency-Key.`,
  );
}
