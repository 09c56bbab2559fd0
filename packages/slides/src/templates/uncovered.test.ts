import type { Slide } from '@hookline/deck';
import { uncovered } from '@hookline/deck/uncovered';
import { describe, expect, it } from 'vitest';
import { loadCanvas } from '../canvas.ts';
import { chooseLook } from '../designs/choose-look.ts';
import { slideWidth } from '../designs/design.ts';
import { boxRoom, edgesOf } from '../designs/ink.ts';
import { looks } from '../designs/looks.ts';
import type { SlideLayout } from '../layout/lay-out-slide.ts';
import { withPhoto } from '../photo-strips.ts';
import { planSlides } from '../render-deck.ts';
import { loadSharp } from '../sharp.ts';
import { loadPictures } from './load-pictures.ts';
import { photoCard } from './photo-card.ts';

const sharp = await loadSharp();
const { createCanvas } = await loadCanvas();
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#406080' } })
    .jpeg()
    .toBuffer();
const [tall, wide] = [await picture(540, 1170), await picture(1600, 900)];
const photo = await withPhoto(tall);

const seeds = Array.from({ length: 60 }, (_, i) => `app_${i}`);
const bySeed = (isIt: (seed: string) => boolean) => seeds.find(isIt)!;
const lookSeeds = Object.keys(looks).map(
  name => [name, bySeed(seed => chooseLook(seed).name === name)] as const,
);
const cases = [
  ...lookSeeds.map(([name, seed]) => ({ name, template: 'quote-card' as const, seed, pictures: [] })),
  ...[tall, wide].map((screen, i) => ({
    name: ['phones', 'cards'][i]!,
    template: 'screenshot-card' as const,
    seed: lookSeeds.find(([name]) => name === 'label')![1],
    pictures: Array(3).fill(screen),
  })),
  ...[true, false].map(isWhite => ({
    name: isWhite ? 'white' : 'black',
    template: 'photo-card' as const,
    seed: bySeed(seed => (photoCard(seed).ink('hook', 'cover').box === '#ffffff') === isWhite),
    pictures: [photo],
  })),
];

const texts = {
  en: ['Stop early.', 'Write one line before bed: what went well, what did not, and what you leave alone. '],
  de: ['Donaudampfschifffahrtsgesellschaft', 'Reiserücktrittskostenversicherungsunterlagen kommen mit. '],
  ja: [
    'カーテンを少し開けて寝る',
    '前の夜に着る服を決めておくと、朝に考えることが一つ減って、気持ちが楽になります。',
  ],
  ar: ['اكتب سطرًا', 'اكتب سطرًا واحدًا قبل النوم عما سار على ما يرام وما لم يسر كذلك اليوم. '],
};

/** What a layout has where the platform covers something; boxes count. */
function coveredLines({ blocks, textX, textAlign, isRtl }: SlideLayout): string[] {
  return blocks.flatMap(block =>
    block.lines.filter((_, line) => {
      const width = block.widths[line]! + edgesOf(block) * block.size;
      const side = textAlign === 'center' ? width / 2 : width;
      const end = isRtl ? slideWidth - textX + side : textX + side;
      const start = isRtl ? textX + width - side : textX - width + side;
      const top = block.baselines[line]! - (block.box ? boxRoom.above : 0.8) * block.size;
      const bottom = block.baselines[line]! + (block.box ? boxRoom.below : 0.22) * block.size;
      const isBeside = end > uncovered.end && bottom > uncovered.buttons;
      return isBeside || top < uncovered.top || bottom > uncovered.bottom || start < 0 || end > slideWidth;
    }),
  );
}

describe.each(cases)('$template, $name', ({ template, seed, pictures }) => {
  it.each(Object.entries(texts))('has no text under what the platform draws: %s', async (language, given) => {
    const [short, sentence] = given as [string, string];
    const bodies = [short, sentence, sentence.repeat(4)];
    const slides = (['top', 'bottom', undefined] as const).flatMap(position => [
      { kind: 'cover', text: sentence, position },
      ...bodies.map(text => ({ kind: 'body', text, position }) as const),
      { kind: 'closing', text: sentence, position },
    ]) as Slide[];
    const app = { name: 'Kofferpacker', store: 'App Store' };
    const brand = { handle: '@kofferpacker.official', logo: tall };
    const deck = { slides, seed, template, pictures, language, app, brand };
    const { layouts } = await planSlides(deck, createCanvas(8, 8));
    const loaded = await loadPictures(deck);
    for (const [i, layout] of layouts.entries()) {
      const drawn = (await loaded.load(i, layout)).layout;
      expect([slides[i], coveredLines(drawn)]).toEqual([slides[i], []]);
    }
  });
});
