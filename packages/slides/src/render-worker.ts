/**
 * The drawing thread: started by `render-thread.ts`, draws each deck it receives and answers under the same
 * number.
 */
import { parentPort } from 'node:worker_threads';
import type { DeckFiles } from './deck-to-render.ts';
import { releaseFonts } from './layout/fonts.ts';
import { releasePackers } from './pack-pixels.ts';
import { renderDeck } from './render-deck.ts';
import { RenderBusyError } from './render-slots.ts';
import type { RenderAnswer, RenderAsked, RenderFiles } from './render-thread.ts';
import { SlideTextError } from './slide-text-error.ts';

/** Decks that wait for their files. */
const unread = new Map<number, (files: DeckFiles | null) => void>();

parentPort?.on('message', (asked: RenderAsked | RenderFiles | 'rest') => {
  if (asked === 'rest') {
    releasePackers();
    void releaseFonts().then(() => parentPort?.postMessage('rested'));
    return;
  }
  const { id } = asked;
  if ('files' in asked) {
    unread.get(id)?.(asked.files);
    unread.delete(id);
    return;
  }
  const readFiles = asked.readsFiles ? () => askForFiles(id) : undefined;
  renderDeck({ ...asked.deck, readFiles }, () => answer({ id, kind: 'drawn_one' })).then(
    slides => answer({ id, kind: 'slides', slides }),
    (error: unknown) => answer(describeFailure(id, error)),
  );
});

async function askForFiles(id: number): Promise<DeckFiles> {
  const files = await new Promise<DeckFiles | null>(resolve => {
    unread.set(id, resolve);
    answer({ id, kind: 'read_files' });
  });
  if (!files) throw new Error('the files of a deck could not be read');
  return files;
}

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
