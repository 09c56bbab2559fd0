import { Buffer } from 'node:buffer';
import { Brief, Template } from '@hookline/shared/contracts/brief';
import {
  Content,
  type CreateContentBody,
  EditContentBody,
  PostProblem,
} from '@hookline/shared/contracts/content';
import type { BatchOutcome } from '@hookline/shared/contracts/content-batch';
import { exampleIds } from '@hookline/shared/contracts/examples';
import { recordOf } from '@hookline/shared/contracts/rows';
import { scheduleModes } from '@hookline/shared/contracts/schedules';
import { z } from 'zod';
import { type Api, ask, create, queryOf } from '../api.ts';
import { again, args, defineTool, type Extra, idempotencyKeyOf, reads, writes } from '../tool.ts';
import { id, type Page, paging, rows } from './lists.ts';

const deckId = id('the deck (content)', exampleIds.content);
const appId = id('the app', exampleIds.app);
const edit = EditContentBody.shape;

/** A deck with its texts; its slides are resources. */
const Deck = Content.pick({
  id: true,
  appId: true,
  status: true,
  approvalStatus: true,
  version: true,
  templateId: true,
  costCharged: true,
  result: true,
  error: true,
}).extend({
  notice: z.string().optional(),
  slides: z.array(z.string()).describe('Resource addresses of the slide images, in order.'),
  rejectReason: z.string().nullable(),
});

const Row = z.object({
  id: z.string(),
  appId: z.string(),
  status: Content.shape.status,
  approvalStatus: Content.shape.approvalStatus,
  version: z.number(),
  hook: z.string().nullable(),
  slides: z.number(),
  rejectReason: z.string().nullable(),
  createdAt: z.string(),
});

const states = ['pending', 'changes_requested', 'approved', 'rejected', 'failed'] as const;

export function slideAddress(contentId: string, n: number): string {
  return `hookline://content/${contentId}/slides/${n}`;
}

function reasonOf({ changesRequested, approval }: Content): string | null {
  return changesRequested?.reason ?? approval?.reason ?? null;
}

function deckOf(content: Content) {
  const slides = content.images.map(({ index }) => slideAddress(content.id, index));
  return recordOf(Deck, { ...content, slides, rejectReason: reasonOf(content) });
}

function linksOf({ id, images }: Content): Extra[] {
  return images.map(({ index, contentType }) => ({
    type: 'resource_link',
    uri: slideAddress(id, index),
    name: `slide ${index}`,
    mimeType: contentType,
  }));
}

export async function readContent(api: Api, contentId: string): Promise<Content> {
  return (await ask<{ data: Content }>(api, 'GET', `/content/${encodeURIComponent(contentId)}`)).data;
}

/** The smallest picture of a slide; null for a slide that the deck does not have, or that cannot be read. */
export async function readSlide(api: Api, content: Content, n: number) {
  const image = content.images.find(({ index }) => index === n);
  return image ? await api.readImage(image.thumbnailUrl ?? image.url) : null;
}

const ready = (approvalStatus: Content['approvalStatus']) => ({ status: 'ready', approvalStatus });

export const listDecks = defineTool({
  ...reads,
  name: 'list_decks',
  title: 'List decks',
  description:
    'Lists decks, newest first, with their hook and state: pending decks wait for a person, those with a rejectReason for another version. Costs nothing. get_deck answers the texts.',
  scopes: ['content:read'],
  input: args({
    state: z
      .enum(states, { error: `must be one of ${states.join(', ')}` })
      .optional()
      .meta({ description: 'Only decks in this state.', examples: ['pending'] }),
    appId: appId.optional(),
    ...paging,
  }),
  output: rows(Row),
  run: async ({ state, appId, limit = 20, cursor }, { api }) => {
    const filter = {
      failed: { status: 'failed' },
      changes_requested: { changesRequested: 'true' },
      pending: ready('pending'),
      approved: ready('approved'),
      rejected: ready('rejected'),
    };
    const query = queryOf({ ...(state && filter[state]), appId, limit, cursor });
    const { data, nextCursor } = await ask<Page<Content>>(api, 'GET', `/content${query}`);
    const toRow = (content: Content) => {
      const { result, images } = content;
      const seen = { hook: result?.hook ?? null, slides: images.length, rejectReason: reasonOf(content) };
      return recordOf(Row, { ...content, ...seen });
    };
    return { record: { rows: data.map(toRow), nextCursor } };
  },
});

export const getDeck = defineTool({
  ...reads,
  name: 'get_deck',
  title: 'Read a deck',
  description:
    'Answers the texts of a deck, its state, why it was rejected or is to change, and the addresses of its slides. With slide it also answers the picture of that slide. Costs nothing.',
  scopes: ['content:read'],
  input: args({
    deckId,
    slide: z
      .int({ error: 'must be an integer from 1 to 62' })
      .min(1)
      .max(62)
      .optional()
      .meta({
        description: 'Number of a slide to look at, from 1. One picture is 20 to 200 KB.',
        examples: [1],
      }),
  }),
  output: Deck,
  run: async ({ deckId, slide }, { api }) => {
    const content = await readContent(api, deckId);
    const picture = slide === undefined ? null : await readSlide(api, content, slide);
    const extras = linksOf(content);
    if (picture) {
      const data = Buffer.from(picture.bytes).toString('base64');
      extras.push({ type: 'image', data, mimeType: picture.contentType });
    } else if (slide !== undefined) {
      extras.push({ type: 'text', text: `This deck has no slide ${slide} to look at.` });
    }
    return { record: deckOf(content), extras };
  },
});

export const checkDeck = defineTool({
  ...reads,
  name: 'check_deck',
  title: 'Check whether a deck can be posted',
  description:
    'Runs every check of posting without posting: approval, slides, sizes, and with tiktokAccountId what that account allows. Costs nothing, writes nothing.',
  scopes: ['content:read'],
  input: args({
    deckId,
    tiktokAccountId: id('the TikTok account', exampleIds.account).optional(),
    mode: z.enum(scheduleModes).optional().meta({ description: 'Default draft.' }),
    privacyLevel: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'For publish: the level to check.', examples: ['SELF_ONLY'] }),
  }),
  output: z.object({ postable: z.boolean(), problems: z.array(PostProblem) }),
  run: async ({ deckId, ...query }, { api }) => {
    const path = `/content/${encodeURIComponent(deckId)}/preflight${queryOf(query)}`;
    return { record: (await ask<{ data: Record<string, unknown> }>(api, 'GET', path)).data };
  },
});

export const createDeck = defineTool({
  ...writes,
  name: 'create_deck',
  title: 'Write a deck',
  description:
    'Draws a slideshow for an app. You are a writer: pass hook, slides and closing, and they are used word for word, without a text model or a key for one. Without slides Hookline writes the texts. Costs 1 credit, only when it succeeds. Answers when the deck is ready or failed, usually within 8 s. At most 10 a minute. Posts nothing: the deck waits until a person approves it. A failed deck costs nothing; pass another idempotencyKey to try again.',
  scopes: ['content:write'],
  input: args({
    appId,
    topic: Brief.shape.topic.meta({
      description:
        'What the deck is about. Without topic and hook it is about the app, and with the notice topic_needs_model: pass hook and slides then.',
      examples: ['morning habits'],
    }),
    hook: Brief.shape.hook.meta({
      description:
        'The text of the first slide, word for word. Left out, it is written. Required with slides.',
      examples: ['5 habits that changed my mornings'],
    }),
    slides: z
      .array(z.string().max(300))
      .min(1)
      .max(33)
      .optional()
      .meta({
        description:
          'Your own texts of the slides between the first and the closing one, in order; not with topic or archetype.',
        examples: [['Put the phone in another room', 'Open the curtains first']],
      }),
    closing: Brief.shape.closing.meta({
      description: 'With slides: your text of the closing slide. Left out, there is none.',
    }),
    caption: Brief.shape.caption.meta({ description: 'With slides: the text of the post.' }),
    hashtags: Brief.shape.hashtags.meta({ description: 'With slides: each with its #.' }),
    archetype: Brief.shape.archetype.meta({
      description: 'How the deck tells its story. Chosen if left out.',
    }),
    slideCount: Brief.shape.slideCount.meta({
      description:
        'Slides with the hook and the closing one, 2 to 10. Default 6, unless the hook promises a count.',
      examples: [6],
    }),
    ctaMode: Brief.shape.ctaMode.meta({ description: 'The closing slide. Default soft.' }),
    templateId: Brief.shape.templateId.meta({
      description:
        'How the slides look. Default auto: photo-card for an app with three uploads in list_pictures, else quote-card. photo-card and screenshot-card need pictures of the app. picture draws no text: each of pictureIds is a finished slide, and hook names the deck.',
    }),
    pictureIds: Brief.shape.pictureIds.meta({
      description:
        'Pictures of the app, in the order of the slides. With picture: what list_pictures answers for kind slide.',
    }),
    ...again,
  }),
  output: Deck,
  run: async ({ appId, templateId = 'auto', slides, idempotencyKey: _, ...rest }, { api, once }) => {
    const brief = { ...rest, templateId, ...(slides && { slides: slides.map(text => ({ text })) }) };
    const body: CreateContentBody = { appId, type: 'slideshow', brief };
    const { record: content } = await create<Content>(api, '/content', body, once);
    return { record: deckOf(content), extras: linksOf(content) };
  },
});

const decksMax = 20;

export const createDecks = defineTool({
  ...writes,
  name: 'create_decks',
  title: 'Write several decks',
  description:
    'Queues up to 20 decks of an app and answers at once with the id or the error of each, in their order; get_deck tells when one is ready. A corrected list, sent again, makes only what changed. Each costs 1 credit, only when it succeeds. Every deck waits until a person approves it.',
  scopes: ['content:write'],
  input: args({
    appId,
    decks: z
      .array(
        z.strictObject({
          topic: Brief.shape.topic,
          hook: Brief.shape.hook,
          slides: z.array(z.string().max(300)).min(1).max(33).optional(),
          closing: Brief.shape.closing,
        }),
      )
      .min(1)
      .max(decksMax, `must have at most ${decksMax} decks`)
      .meta({
        description: 'For each the topic or your own texts, as in create_deck.',
        examples: [[{ topic: 'morning habits' }]],
      }),
    templateId: Brief.shape.templateId.meta({ description: 'How the slides look. Default auto.' }),
    ...again,
  }),
  output: z.object({
    outcomes: z.array(
      z.object({
        deckId: z.string().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  }),
  run: async ({ appId, decks, templateId = 'auto', idempotencyKey }, { api }) => {
    const items = decks.map(({ slides, ...rest }): CreateContentBody => {
      const brief = { ...rest, templateId, ...(slides && { slides: slides.map(text => ({ text })) }) };
      return { appId, type: 'slideshow', brief };
    });
    // The API tells the decks of a key apart, so a corrected list makes only those that it changes.
    const once = { 'idempotency-key': idempotencyKeyOf('create_decks', { idempotencyKey }, api.caller) };
    type Made = { data: { outcomes: BatchOutcome[] } };
    const { data } = await ask<Made>(api, 'POST', '/content/batch', { items }, once);
    const outcomes = data.outcomes.map(({ job, error }) => ({
      deckId: job?.resourceId ?? null,
      error: error && { code: error.code, message: error.message },
    }));
    return { record: { outcomes } };
  },
});

export const listTemplates = defineTool({
  ...reads,
  name: 'list_templates',
  title: 'List the templates',
  description: 'Lists how slides can look, for templateId of create_deck and edit_deck. Costs nothing.',
  scopes: ['content:read'],
  input: args({}),
  output: z.object({
    rows: z.array(Template.pick({ id: true, name: true, description: true, needsPictures: true })),
  }),
  run: async (_, { api }) => {
    return { record: { rows: (await ask<{ data: unknown[] }>(api, 'GET', '/templates')).data } };
  },
});

export const editDeck = defineTool({
  ...writes,
  name: 'edit_deck',
  title: 'Edit a deck',
  description:
    'Changes texts, pictures, positions, the order of slides or the template of a deck and draws it again as a new version. Voids the approval: a person has to approve the new version, and a waiting schedule is held until then. Costs no credits; at most 30 drawn edits a minute. Only the fields that are passed change.',
  effect: 'removes',
  scopes: ['content:write'],
  input: args({
    deckId,
    hook: edit.hook.meta({ description: 'The text of the first slide.' }),
    slides: edit.bodySlides.meta({
      description:
        'All slides between the first and the closing one, in order. A picture or position that is left out ends.',
      examples: [[{ text: 'Open the curtains first' }]],
    }),
    coverLook: edit.coverLook,
    closingLook: edit.closingLook,
    templateId: edit.templateId.meta({ description: 'Draws the slides with another template.' }),
    ctaSoft: edit.ctaSoft.meta({ description: 'The closing line of a deck with ctaMode soft.' }),
    ctaHard: edit.ctaHard.meta({ description: 'The closing line of a deck with ctaMode direct.' }),
    caption: edit.caption.meta({ description: 'The text of the post. Draws nothing.' }),
    hashtags: edit.hashtags.meta({
      description: 'Each with its #.',
      examples: [['#habits', '#morningroutine']],
    }),
  }),
  output: Deck,
  run: async ({ deckId, slides, ...fields }, { api }) => {
    const body = { ...fields, ...(slides && { bodySlides: slides }) };
    const path = `/content/${encodeURIComponent(deckId)}`;
    const { data } = await ask<{ data: Content }>(api, 'PATCH', path, body);
    return { record: deckOf(data), extras: linksOf(data) };
  },
});

export const requestApproval = defineTool({
  ...reads,
  name: 'request_approval',
  title: 'Ask a person to approve a deck',
  description:
    'Answers the link at which a person approves or rejects a deck in the console; give it to the person. Approves nothing and writes nothing: no tool can. Costs nothing. Call it again, or list_decks, to see the decision.',
  scopes: ['content:read'],
  input: args({ deckId }),
  output: z.object({
    deckId: z.string(),
    version: z.number(),
    approvalStatus: Content.shape.approvalStatus,
    rejectReason: z.string().nullable(),
    url: z.string(),
    next: z.string(),
  }),
  run: async ({ deckId }, { api }) => {
    const content = await readContent(api, deckId);
    const url = `${await api.workspaceUrl()}/approve?deck=${encodeURIComponent(content.id)}`;
    const isOpen =
      content.status === 'ready' && content.approvalStatus === 'pending' && !content.changesRequested;
    const record = {
      deckId: content.id,
      version: content.version,
      approvalStatus: content.approvalStatus,
      rejectReason: reasonOf(content),
      url,
      next: nextOf(content),
    };
    const message = `Approve or reject "${content.result?.hook ?? content.id}"`;
    return { record, ...(isOpen && { page: { url, message } }) };
  },
});

function nextOf({ status, approvalStatus, changesRequested }: Content): string {
  if (status === 'failed') return 'This deck failed and cannot be approved; write another one.';
  if (status !== 'ready') return 'This deck is not ready yet; call get_deck in some seconds.';
  if (approvalStatus === 'approved') return 'Approved: schedule_deck can post it.';
  if (approvalStatus === 'rejected') return 'Rejected: edit_deck makes a new version to be looked at.';
  if (changesRequested) return `To change: ${changesRequested.reason} edit_deck makes the next version.`;
  return 'Give the person the link and stop until they have decided.';
}
