/**
 * Draws on a separate thread: painting a slide takes 10 to 30 ms at a stretch, which would block the event
 * loop. One thread alternates between two decks (`render-slots.ts`), painting one while the other is encoded
 * on libuv's threads; a second thread would register every font a second time, as fonts belong to the
 * process.
 */
import { isMarkedAsUntransferable, Worker } from 'node:worker_threads';
import { asBuffer } from './as-buffer.ts';
import type { DeckFiles, DeckToRender } from './deck-to-render.ts';
import type { RenderedSlide } from './render-deck.ts';
import { RenderBusyError } from './render-slots.ts';
import { SlideTextError } from './slide-text-error.ts';

/** `readsFiles`: the thread asks for the files of the deck when it has a slot. */
export type RenderAsked = { id: number; deck: Omit<DeckToRender, 'readFiles'>; readsFiles: boolean };

/** The answer to `read_files`; null if they could not be read. */
export type RenderFiles = { id: number; files: DeckFiles | null };

export type RenderAnswer = { id: number } & (
  | { kind: 'slides'; slides: (Omit<RenderedSlide, 'bytes'> & { bytes: Uint8Array })[] }
  | ({ kind: 'slide_text' } & Pick<SlideTextError, 'slide' | 'reason' | 'characters'>)
  | { kind: 'read_files' }
  | { kind: 'drawn_one' }
  | { kind: 'busy' }
  | { kind: 'failed'; error: Error }
);

// A slide takes far less: a thread that finishes none for this long is stuck.
const silentMaxMs = 15_000;

// After this long without a deck the thread releases its fonts and ends, which gives back 28 MB. Starting it
// again adds about 0.5 s to the next deck.
const restAfterMs = 20_000;

/** The thread exited while drawing decks; the next deck gets a new one. */
export class RenderThreadError extends Error {
  override name = 'RenderThreadError';
}

type Waiting = {
  readFiles: DeckToRender['readFiles'];
  /** Why its files could not be read. */
  unread?: Error;
  resolve(slides: RenderedSlide[]): void;
  reject(error: Error): void;
};

let thread: Worker | null = null;
let silence: NodeJS.Timeout | undefined;
let rest: NodeJS.Timeout | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * Draws a deck as `renderDeck` does, off the event loop. The first deck starts the thread. Files are read on
 * this thread, two decks at a time. The memory of the pictures moves to the drawing thread: the caller's
 * arrays are empty afterwards.
 * @throws SlideTextError naming the slide; RenderBusyError when too many slides are waiting;
 * RenderThreadError when the thread died or finished no slide for 15 s; what `readFiles` throws
 */
export function renderOnThread({ readFiles, ...deck }: DeckToRender): Promise<RenderedSlide[]> {
  const worker = thread ?? startThread();
  lastId += 1;
  const id = lastId;
  clearTimeout(rest);
  return new Promise((resolve, reject) => {
    // Decks that wait behind others do not reset the timer: only the first of them starts it.
    if (waiting.size === 0) awaitAnswer(worker);
    waiting.set(id, { readFiles, resolve, reject });
    // Referenced while it draws, so that a process waiting for nothing else does not exit.
    worker.ref();
    const asked: RenderAsked = { id, deck, readsFiles: readFiles !== undefined };
    worker.postMessage(asked, listTransfers(deck.pictures, deck.brand?.logo));
  });
}

/**
 * Memory that is a picture's alone. A part of a larger buffer is copied, and what a native library allocated.
 */
function listTransfers(pictures: readonly Uint8Array[] = [], logo?: Uint8Array | null): ArrayBuffer[] {
  const given = logo ? [...pictures, logo] : pictures;
  const whole = given.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer))].filter(
    (buffer): buffer is ArrayBuffer => buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer),
  );
}

async function sendFiles(worker: Worker, id: number, asked: Waiting): Promise<void> {
  let files: DeckFiles | null = null;
  try {
    files = (await asked.readFiles?.()) ?? null;
  } catch (error) {
    asked.unread = error instanceof Error ? error : new Error(String(error));
  }
  worker.postMessage({ id, files } satisfies RenderFiles, listTransfers(files?.pictures, files?.logo));
}

/** Gives the thread 15 s from now to finish a slide. */
function awaitAnswer(worker: Worker): void {
  clearTimeout(silence);
  silence = setTimeout(() => endThread(worker, 'drew nothing for too long'), silentMaxMs);
}

/** Ends the thread; decks that are being drawn fail. Repeatable. */
export async function closeRenderThread(): Promise<void> {
  const worker = thread;
  if (!worker) return;
  endThread(worker, 'was ended with the process');
  await worker.terminate();
}

function startThread(): Worker {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    name: 'hookline-drawing',
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  thread = worker;
  worker.unref();
  worker.on('message', (answer: RenderAnswer | 'rested') => {
    if (answer !== 'rested') settle(worker, answer);
    // A deck that came meanwhile is drawn on it.
    else if (waiting.size === 0) endThread(worker, 'rests');
  });
  worker.on('error', error => endThread(worker, 'failed', error));
  worker.on('exit', () => endThread(worker, 'ended'));
  return worker;
}

function settle(worker: Worker, answer: RenderAnswer): void {
  const asked = waiting.get(answer.id);
  if (!asked) return;
  if (answer.kind === 'read_files') {
    void sendFiles(worker, answer.id, asked);
    return;
  }
  if (answer.kind === 'drawn_one') {
    awaitAnswer(worker);
    return;
  }
  waiting.delete(answer.id);
  if (waiting.size > 0) awaitAnswer(worker);
  else {
    clearTimeout(silence);
    worker.unref();
    rest = setTimeout(() => worker.postMessage('rest'), restAfterMs).unref();
  }
  if (answer.kind === 'slides') {
    const slides = answer.slides.map(slide => ({ ...slide, bytes: asBuffer(slide.bytes) }));
    asked.resolve(slides);
  } else asked.reject(asked.unread ?? errorOf(answer));
}

function endThread(worker: Worker, why: string, cause?: unknown): void {
  if (thread !== worker) return;
  thread = null;
  clearTimeout(silence);
  clearTimeout(rest);
  const error = new RenderThreadError(`the drawing thread ${why}`, { cause });
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
  worker.terminate().catch(() => {});
}

function errorOf(answer: Exclude<RenderAnswer, { kind: 'slides' | 'read_files' | 'drawn_one' }>): Error {
  if (answer.kind === 'busy') return new RenderBusyError('too many slides wait to be drawn');
  if (answer.kind === 'failed') return answer.error;
  return new SlideTextError(answer.slide, answer.reason, answer.characters);
}
