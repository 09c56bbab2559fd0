/**
 * Drawing on a thread of its own: painting a slide takes 10 to 30 ms at a stretch, for which the event loop would stand
 * still. One thread draws two decks in turn (`render-slots.ts`), painting one while the other is encoded on libuv's
 * threads; a second thread would register every font a second time, as fonts belong to the process.
 */
import { Worker } from 'node:worker_threads';
import type { DeckToRender, RenderedSlide } from './render-deck.ts';
import { RenderBusyError } from './render-slots.ts';
import { SlideTextError } from './slide-text-error.ts';

export type RenderAsked = { id: number; deck: DeckToRender };

export type RenderAnswer = { id: number } & (
  | { kind: 'slides'; slides: (Omit<RenderedSlide, 'bytes'> & { bytes: Uint8Array })[] }
  | ({ kind: 'slide_text' } & Pick<SlideTextError, 'slide' | 'reason' | 'characters'>)
  | { kind: 'busy' }
  | { kind: 'failed'; error: Error }
);

// Beyond any generation: a thread that is silent for so long draws nothing any more.
const drawTimeoutMs = 15_000;

type Waiting = {
  resolve(slides: RenderedSlide[]): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
};

let thread: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/**
 * Draws a deck as `renderDeck` does, off the event loop. The thread is started with the first deck.
 * @throws SlideTextError naming the slide; RenderBusyError when 12 decks wait already; Error when the thread died or
 * was silent for 15 s: the next deck gets a new one.
 */
export function renderOnThread(deck: DeckToRender): Promise<RenderedSlide[]> {
  const worker = thread ?? startThread();
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => endThread(worker, new Error('drawing took too long')), drawTimeoutMs);
    waiting.set(id, { resolve, reject, timer });
    // Held while it draws, so that a process waiting for nothing else does not end under it.
    worker.ref();
    worker.postMessage({ id, deck } satisfies RenderAsked);
  });
}

/** Ends the thread; decks that are being drawn fail. Repeatable. */
export async function closeRenderThread(): Promise<void> {
  const worker = thread;
  if (!worker) return;
  endThread(worker, new Error('the process is being stopped'));
  await worker.terminate();
}

function startThread(): Worker {
  const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
    name: 'hookline-drawing',
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  thread = worker;
  worker.unref();
  worker.on('message', (answer: RenderAnswer) => settle(worker, answer));
  worker.on('error', error => endThread(worker, error));
  worker.on('exit', () => endThread(worker, new Error('the drawing thread ended')));
  return worker;
}

function settle(worker: Worker, answer: RenderAnswer): void {
  const asked = waiting.get(answer.id);
  if (!asked) return;
  clearTimeout(asked.timer);
  waiting.delete(answer.id);
  if (waiting.size === 0) worker.unref();
  if (answer.kind === 'slides') {
    const slides = answer.slides.map(slide => ({ ...slide, bytes: asBuffer(slide.bytes) }));
    asked.resolve(slides);
  } else asked.reject(errorOf(answer));
}

function endThread(worker: Worker, error: Error): void {
  if (thread !== worker) return;
  thread = null;
  for (const { reject, timer } of waiting.values()) {
    clearTimeout(timer);
    reject(error);
  }
  waiting.clear();
  worker.terminate().catch(() => {});
}

function errorOf(answer: Exclude<RenderAnswer, { kind: 'slides' }>): Error {
  if (answer.kind === 'busy') return new RenderBusyError('too many decks wait to be drawn');
  if (answer.kind === 'failed') return answer.error;
  return new SlideTextError(answer.slide, answer.reason, answer.characters);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
