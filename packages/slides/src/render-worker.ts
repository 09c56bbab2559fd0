/**
 * The drawing thread: started by `render-thread.ts`, draws each deck it receives and answers under the same
 * number.
 */
import { parentPort } from 'node:worker_threads';
import { releaseFonts } from './layout/fonts.ts';
import { releasePackers } from './pack-pixels.ts';
import { renderDeck } from './render-deck.ts';
import { RenderBusyError } from './render-slots.ts';
import type { RenderAnswer, RenderAsked } from './render-thread.ts';
import { SlideTextError } from './slide-text-error.ts';

parentPort?.on('message', (asked: RenderAsked | 'rest') => {
  if (asked === 'rest') {
    void releaseFonts();
    releasePackers();
    return;
  }
  const { id, deck } = asked;
  renderDeck(deck).then(
    slides => answer({ id, kind: 'slides', slides }),
    (error: unknown) => answer(describeFailure(id, error)),
  );
});

function answer(message: RenderAnswer): void {
  parentPort?.postMessage(message);
}

/** A class does not survive the transfer between threads, but its fields do. */
function describeFailure(id: number, error: unknown): RenderAnswer {
  if (error instanceof RenderBusyError) return { id, kind: 'busy' };
  if (error instanceof SlideTextError) {
    const { slide, reason, characters } = error;
    return { id, kind: 'slide_text', slide, reason, characters };
  }
  return { id, kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) };
}
