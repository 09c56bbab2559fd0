import { createHash } from 'node:crypto';

/** 32 bytes. Secrets of at least 24 random bytes are stored as this and compared with it. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** Decks that differ by their hook alone have the same. */
export function digestSlides(slides: readonly { text: string }[]): string {
  return sha256(JSON.stringify(slides.map(({ text }) => text))).toString('hex');
}
