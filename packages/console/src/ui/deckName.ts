import { workTexts } from '../texts/work.ts';
import type { Content } from '../types.ts';

/** A deck that was not made has no hook of its own. */
export const deckName = ({ result, brief }: Content): string =>
  result?.hook ?? brief?.hook ?? brief?.topic ?? workTexts.posts.untitled;
