import { ApiError } from '@hookline/shared/contracts';
import { type Brief, isGiven } from '@hookline/shared/contracts/brief';
import { createRecall } from '@hookline/shared/kernel';
import { isConnectionError, isPassingFault } from '@hookline/shared/postgres';
import { RenderBusyError, RenderThreadError, SlideTextError } from '@hookline/slides';
import { linesOf, type SignedDeck, WriterUnavailable, WritingRefused, writeGiven } from '@hookline/writer';
import type { AppRow } from '../apps/record.ts';
import { unreviewedOf } from '../apps/unreviewed.rules.ts';
import type { ContentDeps } from '../deps.ts';
import { askImageStore } from '../images/read.ts';
import { measureGeneration } from '../metrics.ts';
import { choosePictures } from '../pictures/choose.ts';
import { ImageStoreError } from '../storage/image-store.ts';
import type { TextModelRow } from '../text-models/record.ts';
import { deckWithout, failedDeck, type GeneratedDeck } from './deck.rules.ts';
import { freshnessOf, isRepeat, refuseRepeat, rememberDeck, toldOf, withLatest } from './freshness.ts';
import type { DeckBefore } from './record.ts';
import { notDrawn, renderImages } from './render.ts';

/**
 * `hasWaited` means that an earlier try found something away. `before` has the app's decks, newest first; a deck
 * of an automation must not repeat those of it. `model` is the workspace's text model.
 */
export type DeckOrder = {
  contentId: string;
  app: AppRow;
  brief: Brief;
  hasWaited: boolean;
  before: readonly DeckBefore[];
  model: TextModelRow | null;
  automationId: string | null;
};

/**
 * Writes a deck and, for one with a template, draws and stores its images, with no transaction open. A
 * failure of the writer or the renderer becomes a `failed` deck (D-39).
 * @throws ApiError for missing pictures; SlideTextError for the caller's own text; RenderBusyError;
 * RenderThreadError; Error of the database that may pass
 */
export function generateDeck(deps: ContentDeps, order: DeckOrder): Promise<GeneratedDeck> {
  return measureGeneration(order.brief.templateId !== undefined, () => makeDeck(deps, order));
}

/** Keeps the texts of a deck that waits to be drawn, so that its model is paid once. A changed app gets new texts. */
const recallUndrawn = createRecall<{ texts: Omit<SignedDeck, 'ctaMode'> | null }>(500);

async function makeDeck(
  deps: ContentDeps,
  { contentId, app, brief, hasWaited, before, model, automationId }: DeckOrder,
): Promise<GeneratedDeck> {
  const isDrawn = brief.templateId !== undefined;
  const readBefore = () => withLatest(before, { appId: app.id, contentId, now: deps.now() });
  let forget = (): void => {};
  try {
    // A deck that waits is tried 30 times in two hours: each try would cost answers of a model and CPU.
    if (isDrawn && hasWaited) await askImageStore(deps);
    // A brief whose pictures are missing is refused before anything is written.
    const chosen = await choosePictures(deps, app, brief);
    const undrawn = recallUndrawn(`${contentId} ${app.updatedAt.toISOString()}`, () => ({ texts: null }));
    // Another deck of the app may have used the same lines since.
    if (undrawn.texts && isRepeat(undrawn.texts, before)) undrawn.texts = null;
    undrawn.texts ??= isGiven(brief)
      ? writeGiven(brief, app.listing.country ?? null)
      : await write(deps, { contentId, app, brief, before: readBefore(), model });
    const { result, archetype, language, writer, notice } = undrawn.texts;
    const texts = { result, language };
    const now = deps.now();
    const repeat = automationId === null ? null : refuseRepeat(texts, before, { automationId, now });
    if (repeat) return repeat;
    const freshness = freshnessOf(texts, readBefore());
    const deck = { id: contentId, automationId, createdAt: now, rejectReason: null, lines: linesOf(result) };
    forget = rememberDeck(app.id, deck);
    const order = { app, brief, result, language, chosen };
    const { images, shown, pictures } = isDrawn ? await renderImages(deps, order) : notDrawn;
    undrawn.texts = null;
    const unreviewed = unreviewedOf(app, brief, writer, pictures);
    const told = { result, archetype, language, writer, notice, freshness };
    return { status: 'ready', ...told, images, shown, unreviewed };
  } catch (error) {
    forget();
    if ([RenderBusyError, RenderThreadError, ApiError].some(kind => error instanceof kind)) throw error;
    if (isConnectionError(error) || isPassingFault(error)) throw error;
    if (error instanceof SlideTextError && isGivenSlide(brief, error.slide)) throw error;
    if (error instanceof WriterUnavailable) return deckWithout(error.code, error.message);
    if (error instanceof WritingRefused) return failedDeck(error.code, error.message);
    if (error instanceof SlideTextError) {
      // The writer's text cannot be drawn: a model may answer in a script that no font here covers.
      const message = `The slideshow cannot be drawn: ${error.message}; nothing was charged.`;
      return failedDeck('text_not_drawable', message);
    }
    deps.log.error({ err: error, contentId }, 'generation failed');
    if (error instanceof ImageStoreError) {
      const message = 'The slide images could not be stored; nothing was charged. Try again in a minute.';
      return deckWithout('image_store_unavailable', message);
    }
    const message = 'The slideshow could not be made; nothing was charged. Try again as a new deck.';
    return failedDeck('internal_error', message);
  }
}

type Writing = Pick<DeckOrder, 'contentId' | 'app' | 'brief' | 'before' | 'model'>;

function write(deps: ContentDeps, { contentId, app, brief, before, model }: Writing): Promise<SignedDeck> {
  return deps.writerOf(app.accountId, model).write({
    seed: contentId,
    owner: app.accountId,
    app: { ...app.listing, name: app.name },
    brief,
    voice: app.brand?.voice ?? undefined,
    avoidWords: app.brand?.avoidWords ?? undefined,
    before: toldOf(before),
    lesson: model?.learns === false ? undefined : (app.lesson ?? undefined),
  });
}

const isGivenSlide = ({ hook, slides }: Brief, slide: number): boolean =>
  slides !== undefined || (slide === 1 && hook !== undefined);
