/**
 * A slide whose text cannot be drawn. `slide` counts from 1; `characters` lists those that no font here has.
 */
export class SlideTextError extends Error {
  readonly slide: number;
  readonly reason: 'too_long' | 'unsupported_characters' | 'empty';
  readonly characters: string[];

  constructor(slide: number, reason: SlideTextError['reason'], characters: string[]) {
    super(describeProblem(slide, reason, characters));
    this.name = 'SlideTextError';
    this.slide = slide;
    this.reason = reason;
    this.characters = characters;
  }
}

function describeProblem(slide: number, reason: SlideTextError['reason'], characters: string[]): string {
  if (reason === 'too_long') return `slide ${slide} is too long to be drawn at 46 px; shorten its text`;
  if (reason === 'empty') return `slide ${slide} has nothing that can be drawn; give it a text`;
  const shown = characters
    .slice(0, 5)
    .map(char => `${char} (U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')})`);
  return `slide ${slide} has characters that no font here can write: ${shown.join(', ')}`;
}
