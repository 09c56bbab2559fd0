import {
  chooseArchetype,
  chooseHook,
  compileAvoidedWords,
  findBrokenBriefRules,
  type Known,
  planDeck,
  seedRandom,
} from '@hookline/deck';
import { archetypes } from '@hookline/shared/contracts/brief';
import { createFairQueue, type FairQueue, type Logger, QueueFullError } from '@hookline/shared/kernel';
import { findArchetypeOfHook } from '../archetype-of-hook.ts';
import { closingOf } from '../fillers.ts';
import { createFreshest } from '../freshest.ts';
import { extractMaterial, type Material } from '../listing/material.ts';
import { findNearest, linesOf, overlapMax } from '../overlap.ts';
import {
  type Archetype,
  becauseOf,
  type SignedDeck,
  signDeck,
  type WriteRequest,
  type Writer,
  WriterUnavailable,
  WritingRefused,
  type WrittenDeck,
} from '../port.ts';
import { requireAllowedTopic } from '../topic-refusal.ts';
import { allFields, answerSchema, emptyDraft, hooksMax, hooksMin, mergeAnswer } from './answer.ts';
import { createModelBreaker } from './breaker.ts';
import {
  type ChatClient,
  ChatRejectedError,
  type ChatSettings,
  ChatUnavailableError,
  createChatClient,
  type Tokens,
} from './chat-client.ts';
import type { BrokenRule, DeckWanted, Draft, Fields } from './draft.ts';
import { wordsOf } from './foreign-names.ts';
import { firstMessages, repairMessages } from './prompt.ts';
import { captionOf, directLineOf, hashtagsOf, languageOf } from './small-fields.ts';
import { avoidRule, findBrokenTextRules, isAlike, keepGoodHooks, type TextContext } from './text-rules.ts';

export type LlmWriter = Writer & { close(): Promise<void> };

export type LlmSettings = ChatSettings & {
  /**
   * Time for the texts of a deck that is drawn afterwards, repairs included, in ms. A deck that is not drawn
   * has `undrawnExtraMs` more.
   */
  budgetMs: number;
  /** Decks written at the same time by this process. */
  inFlightMax: number;
};

/** Called for each answer of the model, with its cost. */
export type MeasureAnswer = (answer: { tokens: Tokens; durationMs: number }) => void;

/** Time that drawing would take. */
const undrawnExtraMs = 2_000;
/**
 * Part of the budget that a deck may wait for its turn. With half of it, decks of a model that takes 3.5
 * of 5 s ran out of time with their slots, 77 of 163, and three in a row open the breaker for everyone;
 * with a quarter, 9 of 178.
 */
const waitingShare = 0.25;
/** The first answer and two repairs. */
const answersMax = 3;

/**
 * A writer that asks an OpenAI-compatible endpoint. It checks the answers by the built-in writer's rules; the
 * parts that break one are requested again with the rule named, at most twice, within the time budget. Throws
 * `WritingRefused`: `topic_refused`; `writer_refused` when the model declines; `writer_unusable` when parts
 * still break the rules, `avoided_words` when that is the only one; `writer_unavailable` when the endpoint
 * cannot be reached, or could not for the last decks and is not asked now, when it rejects this request, or
 * when no turn came in time. Never falls back to another writer.
 */
export function createLlmWriter(
  settings: LlmSettings,
  log: Logger,
  measureAnswer: MeasureAnswer = () => {},
): LlmWriter {
  const client = createChatClient(settings);
  const breaker = createModelBreaker();
  const asking = { settings, client, log, measureAnswer };
  const waitMaxMs = settings.budgetMs * waitingShare;
  // A deck keeps its slot for its repairs, for seconds: one that queued again would mostly run out of time.
  // So one owner leaves a quarter of the slots to others.
  const slowMax = settings.inFlightMax - Math.floor(settings.inFlightMax / 4);
  const turns = createFairQueue({ slots: () => settings.inFlightMax, slowMax, waitMaxMs });
  async function write(request: WriteRequest, work: Work, startedMs: number): Promise<SignedDeck> {
    const pass = breaker.enter(performance.now());
    if (typeof pass === 'string') throw new ModelUnavailable(`it is not asked now: ${pass}`);
    try {
      const deck = await writeDeck(asking, request, work, startedMs);
      pass.answered();
      return deck;
    } catch (error) {
      if (error instanceof ModelUnavailable) pass.failed(performance.now(), error.reason);
      else if (error instanceof RequestRejected) pass.abandoned();
      else if (error instanceof WritingRefused) pass.answered();
      else pass.abandoned();
      throw error;
    }
  }
  return {
    async write(request) {
      const work = prepare(request);
      const startedMs = performance.now();
      const turn = { workspace: request.owner ?? '', isSlow: true };
      await takeTurn(turns, turn, settings, log);
      try {
        return await write(request, work, startedMs);
      } finally {
        turns.leave(turn);
      }
    },
    close: () => client.close(),
  };
}

type Asking = { settings: LlmSettings; client: ChatClient; log: Logger; measureAnswer: MeasureAnswer };
/** `structured`: what chose the archetype. */
type Work = {
  material: Material;
  archetype: Archetype;
  structured: Known | null;
  wanted: DeckWanted;
  context: TextContext;
};

function prepare(request: WriteRequest): Work {
  const { app, brief, avoidWords } = request;
  requireAllowedTopic(brief.topic);
  const material = extractMaterial(app);
  const plan = planDeck(brief);
  const { value: archetype, known: structured } = structureOf(request);
  const isCounted = archetype === 'listicle' && plan.bodyCount >= 2;
  const appName = material.name.short;
  const wanted = { plan, hasHook: brief.hook !== undefined, isCounted, appName };
  const listing = material.haystack;
  const source = `${listing} ${brief.topic ?? ''} ${brief.hook ?? ''}`.toLowerCase();
  const { language } = material;
  const avoided = compileAvoidedWords(avoidWords);
  const context = { brief, wanted, appName, known: wordsOf(source), language, listing, source, avoided };
  return { material, archetype, structured, wanted, context };
}

function structureOf({ seed, brief, lesson }: WriteRequest) {
  const asked = brief.archetype ?? findArchetypeOfHook(brief.hook);
  if (asked) return { value: asked, known: null };
  if (brief.topic !== undefined) return chooseArchetype(['listicle'], lesson, seed);
  return chooseArchetype([seedRandom(seed, 'archetype').pick(archetypes), ...archetypes], lesson, seed);
}

/** @throws WriterUnavailable when too many decks wait, or no slot was free in time */
async function takeTurn(
  turns: FairQueue,
  turn: { workspace: string; isSlow: boolean },
  { inFlightMax, budgetMs }: LlmSettings,
  log: Logger,
): Promise<void> {
  try {
    await turns.enter(turn);
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    const seconds = (budgetMs * waitingShare) / 1_000;
    const decks = inFlightMax === 1 ? 'one deck is' : `${inFlightMax} decks are`;
    const reason = `no turn came within ${seconds} s; at most ${decks} written at once`;
    log.warn({ reason }, 'the text model is busy');
    throw new WriterUnavailable('writer_unavailable', unavailableText(reason));
  }
}

/** @param startedMs when the deck began to wait for its turn: waiting is part of its budget */
async function writeDeck(
  asking: Asking,
  request: WriteRequest,
  work: Work,
  startedMs: number,
): Promise<SignedDeck> {
  const { settings, client, log, measureAnswer } = asking;
  const isDrawn = request.brief.templateId !== undefined;
  const deadlineMs = startedMs + settings.budgetMs + (isDrawn ? 0 : undrawnExtraMs);
  const first = firstMessages({ ...work, ...request });
  let messages = first;
  let fields = allFields(work.wanted);
  let judged: Judged = { draft: emptyDraft(work.wanted), hooks: [], broken: [], fields };
  // A deck that repeats an earlier one is repaired once, and kept where the repair fails.
  let kept: WrittenDeck | null = null;
  for (let answers = 1; answers <= answersMax; answers += 1) {
    const askedMs = performance.now();
    const schema = answerSchema(work.wanted, fields);
    const answer = await client.ask({ messages, schema, deadlineMs }).catch(error => {
      const filled = kept ?? finish(judged, request, work);
      if (filled) return filled;
      throw refusalOf(error, judged.broken, log);
    });
    if ('result' in answer) return sign(answer, settings.model, true);
    measureAnswer({ tokens: answer.tokens, durationMs: performance.now() - askedMs });
    if (answer.kind === 'refused') {
      if (kept) return sign(kept, settings.model, true);
      throw new WritingRefused(
        'writer_refused',
        'The text model declined to write about this; nothing was charged.',
      );
    }
    const draft = mergeAnswer(judged.draft, answer.content, fields);
    if (draft) judged = judge(draft, work);
    else {
      if (answer.kind === 'text') client.spellSchemaOut();
      const rule =
        answer.kind === 'cut' ? 'was cut off; keep it shorter' : 'must be one JSON object of the schema';
      judged = { ...judged, broken: [{ where: 'the answer', rule }] };
    }
    const deck = draft && finish(judged, request, work);
    const repeats = deck && !kept && answers < answersMax ? findRepeated(deck, request) : [];
    const line = { model: settings.model, answers, durationMs: Math.round(performance.now() - startedMs) };
    if (deck && repeats.length === 0) {
      log.info({ ...line, tokens: answer.tokens }, 'deck written');
      return sign(deck, settings.model, answers > 1 || judged.broken.length > 0);
    }
    if (deck) {
      kept = deck;
      judged = { ...judged, broken: repeats, fields: fieldsOf(repeats, deck.result.bodySlides.length) };
    }
    // Logs rules only: the model's text is the customer's and stays out of the log.
    const broken = judged.broken.map(({ where, rule }) => `${where} ${rule}`);
    log.info({ ...line, tokens: answer.tokens, broken }, 'answer refused');
    if (draft) fields = judged.fields;
    // One that could not be read stands there as an empty one: many templates want the roles to take turns.
    const shown = JSON.stringify(draft ? shownOf(draft) : {});
    messages = repairMessages(first, shown, judged.broken, namesOf(fields));
  }
  if (kept) return sign(kept, settings.model, true);
  throw unusable(judged.broken);
}

const sign = (deck: WrittenDeck, model: string, repaired: boolean): SignedDeck =>
  signDeck(deck, { kind: 'model', name: model.slice(0, 200), repaired });

/** `fields`: what to write again. */
type Judged = { draft: Draft; hooks: string[]; broken: BrokenRule[]; fields: Fields };

/** Keeps the good hooks that no slide repeats, in the model's order, and finds the parts that break a rule. */
function judge(draft: Draft, { wanted, material, context }: Work): Judged {
  const { brief } = context;
  const language = languageOf(draft, material);
  const judging = { ...context, language };
  const offered = draft.hooks.filter(hook => !draft.slides.some(slide => isAlike(hook, slide, language)));
  const hooks = brief.hook === undefined ? keepGoodHooks(offered, judging) : [brief.hook];
  const broken = findBrokenTextRules(draft, judging);
  const areHooksMissing = !wanted.hasHook && hooks.length < hooksMin;
  if (areHooksMissing) broken.unshift(findHooksRule(offered, judging));
  const fields = fieldsOf(broken, draft.slides.length);
  return { draft, hooks: hooks.slice(0, hooksMax), broken, fields };
}

/** The parts to write again. */
function fieldsOf(broken: readonly BrokenRule[], slides: number): Fields {
  const places = new Set(broken.map(({ where }) => where));
  return {
    hooks: places.has('hookOptions') ? hooksMax : 0,
    slides: Array.from({ length: slides }, (_, i) => i).filter(i => places.has(`slide${i + 1}`)),
    soft: places.has('ctaSoft'),
    caption: places.has('caption'),
  };
}

/**
 * What the nearest earlier deck has too, where that is more than half of the deck, and the hooks, which lead to it. A given
 * hook must stay.
 */
function findRepeated({ result, language }: WrittenDeck, { brief, before }: WriteRequest): BrokenRule[] {
  const lines = linesOf(result);
  const nearest = findNearest(lines, before?.decks ?? [], language);
  if (!nearest || nearest.overlap <= overlapMax) return [];
  const repeated = [...nearest.shared]
    .filter(place => place > 0)
    .map(place => ({
      where: `slide${place}`,
      rule: 'must not return from an earlier slideshow of this app; write about another side of the subject',
      found: lines[place]!,
    }));
  const hooks = { where: 'hookOptions', rule: 'must be new, about that other side of the subject' };
  return brief.hook === undefined ? [hooks, ...repeated] : repeated;
}

/** Why there are too few good hooks. */
function findHooksRule(hooks: readonly string[], context: TextContext): BrokenRule {
  const { isCounted, plan } = context.wanted;
  const withAvoided = keepGoodHooks(hooks, { ...context, avoided: compileAvoidedWords() });
  const found = withAvoided.map(hook => context.avoided.exec(hook)?.[0]).find(word => word !== undefined);
  if (withAvoided.length >= hooksMin && found !== undefined) {
    return { where: 'hookOptions', rule: avoidRule, found };
  }
  const promise = isCounted ? `exactly ${plan.bodyCount} things` : `no number but ${plan.bodyCount}`;
  const rule = `must have at least ${hooksMin} hooks that promise ${promise} and have neither the app's name nor the words of a slide`;
  return { where: 'hookOptions', rule };
}

const isText = (text: string | null): text is string => text !== null;

/**
 * The deck, with the direct line by rule; a broken soft line or caption follows by
 * rule too once nothing else is broken. Null when another part breaks a rule.
 * @throws WritingRefused for a deck that as a whole breaks the brief
 */
function finish({ draft, hooks, broken }: Judged, request: WriteRequest, work: Work): WrittenDeck | null {
  const { material, archetype, structured, context } = work;
  const { brief, lesson, seed, before } = request;
  const places = new Set(broken.map(({ where }) => where));
  const isOnlySmall = [...places].every(where => where === 'ctaSoft' || where === 'caption');
  if (!isOnlySmall || hooks.length === 0 || !draft.slides.every(isText)) return null;
  const slides = draft.slides.filter(isText);
  const language = languageOf(draft, material);
  const soft = places.has('ctaSoft') ? closingOf(material, context.avoided) : draft.soft;
  const caption = places.has('caption') ? captionOf(slides) : draft.caption;
  if (!soft || !caption) return null;
  const captioned = findBrokenTextRules({ ...draft, caption }, { ...context, language });
  if (captioned.some(({ where }) => where === 'caption')) return null;
  const direct = directLineOf(material, language);
  const free = createFreshest(hooks, before?.decks ?? [], language).freeHooks(hooks);
  const { value: hook, known } = chooseHook(free, lesson, seed);
  const deck: WrittenDeck = {
    result: {
      hook,
      hookOptions: [...new Set([hook, ...free, ...hooks])].slice(0, Math.max(hooksMin, free.length)),
      bodySlides: slides.map(text => ({ text })),
      ctaSoft: soft,
      ctaHard: context.avoided.test(direct) ? soft : direct,
      caption,
      hashtags: hashtagsOf(draft.hashtags, { material, brief, avoided: context.avoided }),
    },
    archetype,
    ctaMode: brief.ctaMode ?? 'soft',
    language,
    ...becauseOf(known, structured),
  };
  const [brokenRule] = findBrokenBriefRules(brief, deck);
  if (brokenRule !== undefined) throw unusable([{ where: 'the deck:', rule: brokenRule }]);
  return deck;
}

/** The draft as the model would have answered it. */
function shownOf({ hooks, slides, soft, caption }: Draft): Record<string, unknown> {
  return { hookOptions: hooks.slice(0, hooksMax), bodySlides: slides, ctaSoft: soft, caption };
}

function namesOf({ hooks, slides, soft, caption }: Fields): string[] {
  return [
    ...(hooks > 0 ? ['hookOptions'] : []),
    ...(slides === 'all' ? ['bodySlides'] : slides.map(i => `slide${i + 1}`)),
    ...(soft ? ['ctaSoft'] : []),
    ...(caption ? ['caption'] : []),
  ];
}

/** The endpoint did not answer: what the breaker counts. */
class ModelUnavailable extends WriterUnavailable {
  readonly reason: string;
  constructor(reason: string) {
    super('writer_unavailable', unavailableText(reason));
    this.reason = reason;
  }
}

/** The endpoint rejects the request of this deck. It says nothing about other decks. */
class RequestRejected extends WritingRefused {
  constructor(reason: string) {
    super(
      'writer_unavailable',
      `The text model's endpoint rejects the request for this slideshow (${reason}); nothing was charged. Change the brief or the listing, or ask the operator to check the endpoint.`,
    );
  }
}

function unavailableText(reason: string): string {
  return `The text model could not be asked (${reason}); nothing was charged. Try again in a minute as a new deck.`;
}

function refusalOf(error: unknown, broken: readonly BrokenRule[], log: Logger): unknown {
  const isRejected = error instanceof ChatRejectedError;
  if (!isRejected && !(error instanceof ChatUnavailableError)) return error;
  const { message: reason } = error;
  log.warn({ reason }, isRejected ? 'the text model rejects a request' : 'the text model is unavailable');
  // No answer to a repair: the broken rules say more than the fault.
  if (broken.length > 0) return unusable(broken);
  return isRejected ? new RequestRejected(reason) : new ModelUnavailable(reason);
}

function unusable(broken: readonly BrokenRule[]): WritingRefused {
  const first = broken[0];
  if (first?.found !== undefined && broken.every(({ rule }) => rule === avoidRule)) {
    return new WritingRefused(
      'avoided_words',
      `Every slideshow that was written has "${first.found}", one of brand.avoidWords; nothing was charged.`,
    );
  }
  const rule = first ? `${first.where} ${first.rule}` : 'no answer';
  return new WritingRefused(
    'writer_unusable',
    `The text model did not keep to the rules (${rule}); nothing was charged. Try again as a new deck.`,
  );
}
