/** What a deck is asked to be: its brief, and the templates of its slide images. */
import { z } from 'zod';
import {
  answerInteger,
  answerList,
  answerText,
  idField,
  record,
  textField,
  urlField,
} from './answer-fields.ts';
import { arrayOf, body, filledText, idText, integer, isStorable, oneOf, text, unstorable } from './fields.ts';
import { contentRoute } from './route.ts';

export const archetypes = ['listicle', 'transformation', 'pov_results', 'authority', 'motivational'] as const;
export const ctaModes = ['soft', 'direct', 'none'] as const;
export const templateIds = ['quote-card', 'photo-card', 'screenshot-card', 'picture'] as const;
/** Where the text of a slide stands. */
export const slidePositions = ['top', 'middle', 'bottom'] as const;

const hashtagError = 'must be a hashtag of 2 to 100 characters with a leading #';
export const hashtagsInput = arrayOf(
  z
    .string({ error: hashtagError })
    .regex(/^#[^\s#]{1,99}$/u, hashtagError)
    .refine(isStorable, unstorable)
    .register(z.globalRegistry, { maxLength: 100 }),
  0,
  30,
  'hashtags',
);

const writtenSlides = 10;
const shownPictures = 10;
/** A post can carry so many photos. */
export const postSlides = 35;
/** Without the hook and the closing slide. */
const givenSlides = postSlides - 2;
const onlyGiven = { closing: filledText(300), caption: text(0, 2200), hashtags: hashtagsInput };

/** Input to content generation; also used by automations (API-2, D-35 to D-38 and D-48). */
export const Brief = body({
  topic: filledText(500).optional(),
  archetype: oneOf(archetypes).optional(),
  hook: filledText(300).optional().meta({ description: 'Used word for word instead of a generated one.' }),
  slideCount: integer(2, givenSlides + 2, `must be an integer from 2 to ${writtenSlides}`)
    .optional()
    .meta({
      description:
        'Total slides with the hook and the closing slide, at most 10. Default 6, unless a hook promises a count. With `slides` their number, if sent.',
    }),
  ctaMode: oneOf(ctaModes).optional().meta({
    description: 'Default `soft`; with `slides` it is `none` exactly where `closing` is absent.',
  }),
  templateId: oneOf([...templateIds, 'auto'])
    .optional()
    .meta({
      description:
        'Gives finished slide images; `GET /templates` shows them. `auto` is `photo-card` for an app with three uploaded pictures besides its logo, else `quote-card`. `picture` draws no text: each of `pictureIds` is a slide, and `hook`, then required, names the deck. If it is omitted, only texts are written.',
    }),
  pictureIds: arrayOf(idText(), 0, postSlides, 'picture ids').optional().meta({
    description:
      'Pictures of the app for a template that needs them, in the order of the slides, at most 10. Default: its own, oldest first. With `picture` they are the slides, 1 to 35.',
  }),
  slides: arrayOf(body({ text: filledText(300) }), 1, givenSlides, 'slides')
    .optional()
    .meta({
      description:
        'Your own texts between the hook, then required, and the closing slide: used word for word, nothing is written. Not with `topic` or `archetype`, not for an automation.',
    }),
  closing: onlyGiven.closing.optional().meta({
    description: 'The closing slide of `slides`; without it there is none.',
  }),
  caption: onlyGiven.caption.optional().meta({
    description: 'With `slides`. Default: the hook and the closing slide.',
  }),
  hashtags: onlyGiven.hashtags.optional().meta({
    description: 'With `slides`. Default: up to three words of the slides.',
  }),
})
  .superRefine((brief, context) => {
    for (const [field, message] of brokenGiven(brief))
      context.addIssue({ code: 'custom', path: [field], message });
  })
  .meta({ id: 'Brief' });
export type SentBrief = z.infer<typeof Brief>;
/** One whose template has been chosen. */
export type Brief = Omit<SentBrief, 'templateId'> & { templateId?: (typeof templateIds)[number] | undefined };

/**
 * The brief of a record. Another version may have stored it: what this one would refuse must not cost the
 * answer, and what it does not know is left out.
 */
export const StoredBrief = record('StoredBrief', {
  topic: answerText(500).optional(),
  archetype: z.enum(archetypes).optional(),
  hook: answerText(300).optional(),
  slideCount: answerInteger(2, givenSlides + 2).optional(),
  ctaMode: z.enum(ctaModes).optional(),
  templateId: z.enum([...templateIds, 'auto']).optional(),
  pictureIds: answerList(idField, postSlides).optional(),
  slides: answerList(z.object({ text: answerText(300) }), givenSlides).optional(),
  closing: answerText(300).optional(),
  caption: answerText(2200).optional(),
  hashtags: answerList(answerText(100), 30).optional(),
});

const notWithGiven = ['topic', 'archetype'] as const;
type GivenFields = Partial<
  Record<(typeof notWithGiven)[number] | 'ctaMode' | 'hook' | 'templateId' | keyof typeof onlyGiven, unknown>
> & {
  pictureIds?: readonly string[] | undefined;
  slideCount?: number | undefined;
  slides?: readonly unknown[] | undefined;
};

/** Fields that contradict `slides`, or their absence, each with what would be right. */
function* brokenGiven(brief: GivenFields): Generator<[field: keyof GivenFields, message: string]> {
  const { slides, slideCount = 0, ctaMode, pictureIds = [] } = brief;
  if (brief.templateId === 'picture') return yield* brokenPictures(brief);
  if (pictureIds.length > shownPictures)
    yield ['pictureIds', `must be a list of 0 to ${shownPictures} picture ids`];
  if (slides === undefined) {
    for (const field of Object.keys(onlyGiven) as (keyof typeof onlyGiven)[])
      if (brief[field] !== undefined) yield [field, 'must be left out, or slides given too'];
    if (slideCount > writtenSlides) yield ['slideCount', `must be an integer from 2 to ${writtenSlides}`];
    return;
  }
  for (const field of notWithGiven)
    if (brief[field] !== undefined) yield [field, 'must be left out where slides are given'];
  if (brief.hook === undefined) yield ['hook', 'must be the text of the first slide, since slides are given'];
  const hasClosing = brief.closing !== undefined;
  if (ctaMode !== undefined && (ctaMode !== 'none') !== hasClosing) {
    yield [
      'ctaMode',
      `must be ${hasClosing ? 'soft or direct' : 'none'}, or left out, ${hasClosing ? 'with' : 'without'} closing`,
    ];
  }
  const count = slides.length + (hasClosing ? 2 : 1);
  if (slideCount > 0 && slideCount !== count) {
    yield [
      'slideCount',
      `must be ${count}, the number of given slides with the hook and the closing one, or left out`,
    ];
  }
}

function* brokenPictures(brief: GivenFields): Generator<[field: keyof GivenFields, message: string]> {
  const { pictureIds = [], slideCount = pictureIds.length, ctaMode = 'none' } = brief;
  if (pictureIds.length === 0)
    yield [
      'pictureIds',
      `must be a list of 1 to ${postSlides} pictures, each a slide of the template picture`,
    ];
  if (brief.hook === undefined) yield ['hook', 'must name the deck, since its slides are pictures'];
  for (const field of [...notWithGiven, 'slides', 'closing'] as const)
    if (brief[field] !== undefined) yield [field, 'must be left out with the template picture'];
  if (ctaMode !== 'none') yield ['ctaMode', 'must be none, or left out, with the template picture'];
  if (slideCount !== pictureIds.length)
    yield ['slideCount', `must be ${pictureIds.length}, the number of pictures, or left out`];
}

/** The caller made the texts, or the slides. */
export function isGiven({ slides, templateId }: Pick<SentBrief, 'slides' | 'templateId'>): boolean {
  return slides !== undefined || templateId === 'picture';
}

export const exampleBrief: Brief = { topic: 'morning habits', templateId: 'quote-card', slideCount: 3 };
export const Template = record('Template', {
  id: z.enum(templateIds),
  name: textField,
  description: textField,
  sampleUrls: answerList(urlField, 10).meta({ description: 'Sample slides, open to everyone.' }),
  needsPictures: z.boolean().meta({ description: 'Draws pictures of the app; it must have at least one.' }),
});

export const listTemplates = contentRoute('GET /templates', {
  scopes: ['content:read'],
  summary: 'List the templates of slide images',
  description: 'Each with sample slides. `brief.templateId` names one of them.',
  response: z.object({ data: answerList(Template, 20) }),
  example: {
    response: {
      data: [
        {
          id: 'photo-card',
          name: 'Photo card',
          description: 'Your pictures over the whole slide, with boxed type where it covers the least.',
          sampleUrls: ['http://localhost:8080/media/templates/photo-card-1.jpg'],
          needsPictures: true,
        },
      ],
    },
  },
});
