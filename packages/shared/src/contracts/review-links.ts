import { z } from 'zod';
import {
  answerList,
  answerText,
  createdBy,
  idField,
  record,
  recordFields,
  textField,
  timestamp,
  urlField,
  versionField,
} from './answer-fields.ts';
import { Content, slideImagesMax } from './content.ts';
import { Deleted, list, single } from './envelope.ts';
import { deletedExample, exampleIds, exampleMaker, laterTime, listExample, newRecord } from './examples.ts';
import { body, filledText, flag, idParams, integer, oneOf, pageQuery, pathId, text } from './fields.ts';
import { gatewayRoute } from './route.ts';

/** Links of one content that are open. */
export const reviewLinksMax = 20;

export const ReviewLink = record('ReviewLink', {
  ...recordFields,
  contentId: idField,
  version: versionField.meta({ description: 'The only version that the link shows.' }),
  mayDecide: z.boolean(),
  expiresAt: timestamp,
  createdBy,
});
export type ReviewLink = z.infer<typeof ReviewLink>;

const ReviewLinkWithUrl = ReviewLink.extend({
  url: urlField.optional().meta({ description: 'Absent when a request is repeated.' }),
}).meta({ id: 'ReviewLinkWithUrl' });

export const CreateReviewLinkBody = body({
  expiresInHours: integer(1, 720),
  mayDecide: flag().optional().meta({
    description:
      'Whoever has the link may approve, reject or ask for changes. Needs `content:approve`. Default false.',
  }),
}).meta({ id: 'CreateReviewLink' });
export type CreateReviewLinkBody = z.infer<typeof CreateReviewLinkBody>;

const linkDecisions = ['approved', 'rejected', 'changes_requested'] as const;
const linkDecision = z.enum(linkDecisions);

/** What a link shows. */
export const SharedDeck = record('SharedDeck', {
  workspace: textField,
  handle: textField.meta({ description: 'The handle of the app in its brand, or its name.' }),
  version: versionField,
  approvalStatus: Content.shape.approvalStatus,
  caption: textField,
  hashtags: answerList(answerText(100), 30),
  slides: answerList(
    z.object({
      text: textField,
      url: urlField.nullable().meta({ description: 'Null for a slide that was not drawn.' }),
      thumbnailUrl: urlField.nullable(),
    }),
    slideImagesMax,
  ),
  mayDecide: z.boolean().meta({ description: 'The version waits for a decision that this link may take.' }),
  decided: z
    .object({ decision: linkDecision, name: textField, reason: answerText(500).nullable() })
    .nullable()
    .meta({ description: 'What was decided by this link.' }),
  expiresAt: timestamp,
});
export type SharedDeck = z.infer<typeof SharedDeck>;

const exampleLink: ReviewLink = {
  id: exampleIds.review,
  ...newRecord,
  contentId: exampleIds.content,
  version: 1,
  mayDecide: true,
  expiresAt: laterTime,
  createdBy: exampleMaker,
};
const exampleToken = 'link_9fQ3kX7bT1vN5mR8cW2yH6jL4pD0sG_aZ-eKuEiOqBt';
const exampleImageUrl =
  'http://localhost:8080/media/images/image_01k9ztqe3a6d9g2j5m8p1s4v7y?e=1795424400&s=3q2r';
const exampleShared: SharedDeck = {
  workspace: 'Nordlicht Studio',
  handle: '@pebblo.app',
  version: 1,
  approvalStatus: 'pending',
  caption: 'Small wins, every morning.',
  hashtags: ['#habits'],
  slides: [
    {
      text: '5 habits that changed my mornings',
      url: exampleImageUrl,
      thumbnailUrl: `${exampleImageUrl}&w=270`,
    },
  ],
  mayDecide: true,
  decided: null,
  expiresAt: laterTime,
};

const ofContent = {
  scopes: ['content:write', 'content:approve'],
  anyScope: true,
  params: idParams('content', exampleIds.content),
} as const;

export const createReviewLink = gatewayRoute('POST /content/{id}/review-links', {
  ...ofContent,
  summary: 'Make a link that shows the current version to somebody without an account',
  description:
    'It ends with its time, with the next version, and with the membership or key of its maker. With `mayDecide` whoever has it approves, rejects or asks for changes, signed with the name that they give; the approval policy counts that as a decision of the maker, who must be allowed to take it. A content has at most 20 open links.',
  body: CreateReviewLinkBody,
  status: 201,
  response: single(ReviewLinkWithUrl),
  errors: ['not_found', 'not_ready'],
  example: {
    body: { expiresInHours: 72, mayDecide: true },
    response: {
      data: { ...exampleLink, url: `https://hookline.example.com/console/review#${exampleToken}` },
    },
  },
});

export const listReviewLinks = gatewayRoute('GET /content/{id}/review-links', {
  ...ofContent,
  summary: 'List the review links of a content, newest first',
  description: 'Lists links that have not expired. The address is never included.',
  query: body(pageQuery),
  response: list(ReviewLink),
  example: { response: listExample(exampleLink) },
});

export const deleteReviewLink = gatewayRoute('DELETE /content/{id}/review-links/{linkId}', {
  ...ofContent,
  summary: 'Withdraw a review link',
  description: 'It opens nothing from then on. Decisions that were taken by it stay.',
  params: ofContent.params.extend({ linkId: pathId('review link', exampleIds.review) }),
  response: single(Deleted),
  example: { response: deletedExample(exampleIds.review) },
});

const token = text(1, 200).meta({ description: 'The token of the link.' });

export const openReviewLink = gatewayRoute('POST /review/open', {
  auth: 'none',
  summary: 'Read what a review link shows',
  description:
    'It is 404 `not_found` for a link that expired or was withdrawn, 409 `not_ready` when there is a newer version. The links of the pictures end within two hours.',
  body: body({ token }).meta({ id: 'OpenReviewLink' }),
  response: single(SharedDeck),
  errors: ['not_found', 'not_ready'],
  idempotency: 'none',
  example: { body: { token: exampleToken }, response: { data: exampleShared } },
});

const DecideByReviewLinkBody = body({
  token,
  decision: oneOf(linkDecisions),
  name: filledText(100),
  reason: filledText(500).optional().meta({
    description: 'Why it was rejected, or what is to change: `changes_requested` needs one.',
  }),
}).meta({ id: 'DecideByReviewLink' });
export type LinkDecision = z.infer<typeof DecideByReviewLinkBody>;

export const decideByReviewLink = gatewayRoute('POST /review/decide', {
  auth: 'none',
  summary: 'Approve, reject or ask for changes by a review link',
  description:
    'Signed with `name`, which nothing proves: `by` of the decision has the kind `reviewer` and the id of the link. The version is that of the link; 409 `not_ready` when there is a newer one, or this one was decided otherwise.',
  body: DecideByReviewLinkBody,
  response: single(SharedDeck),
  errors: ['not_found', 'not_ready', 'missing_scope', 'already_sending', 'already_sent'],
  idempotency: 'none',
  example: {
    body: { token: exampleToken, decision: 'approved', name: 'Kim of Pebblo' },
    response: {
      data: {
        ...exampleShared,
        approvalStatus: 'approved',
        mayDecide: false,
        decided: { decision: 'approved', name: 'Kim of Pebblo', reason: null },
      },
    },
  },
});
