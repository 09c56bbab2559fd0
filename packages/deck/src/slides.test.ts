import { describe, expect, it } from 'vitest';
import { listSlides } from './slides.ts';

const result = { hook: 'H', bodySlides: [{ text: 'A' }, { text: 'B' }], ctaSoft: 'S', ctaHard: 'D' };
const texts = (ctaMode?: 'soft' | 'direct' | 'none') => listSlides(result, ctaMode).map(slide => slide.text);

describe('listSlides', () => {
  it('ends with the soft line by default', () => expect(texts()).toEqual(['H', 'A', 'B', 'S']));
  it('ends with the call to action with direct', () => expect(texts('direct')).toEqual(['H', 'A', 'B', 'D']));
  it('ends with the last body slide with none', () => expect(texts('none')).toEqual(['H', 'A', 'B']));
});
