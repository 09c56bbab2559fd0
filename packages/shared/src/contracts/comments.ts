import type { z } from 'zod';
import {
  answerInteger,
  answerText,
  idField,
  Maker,
  record,
  recordFields,
  versionField,
} from './answer-fields.ts';
import { slideImagesMax } from './content.ts';
import { list, single } from './envelope.ts';
import { exampleIds, exampleMaker, listExample, newRecord } from './examples.ts';
import { body, filledText, idParams, integer, pageQuery } from './fields.ts';
import { contentRoute } from './route.ts';

const textMax = 2_000;
/** Comments of one content. */
export const commentsMax = 1_000;

export const Comment = record('Comment', {
  ...recordFields,
  contentId: idField,
  version: versionField.meta({ description: 'The version that was current.' }),
  slide: answerInteger(1, slideImagesMax)
    .nullable()
    .meta({ description: 'Counted from 1; null where the comment is on the whole deck.' }),
  text: answerText(textMax),
  by: Maker.nullable(),
});
export type Comment = z.infer<typeof Comment>;

export const CreateCommentBody = body({
  text: filledText(textMax),
  slide: integer(1, slideImagesMax)
    .optional()
    .meta({ description: 'A slide of the current version, counted from 1. Default: the whole deck.' }),
}).meta({ id: 'CreateComment' });
export type CreateCommentBody = z.infer<typeof CreateCommentBody>;

const exampleComment: Comment = {
  id: exampleIds.comment,
  ...newRecord,
  contentId: exampleIds.content,
  version: 1,
  slide: 2,
  text: 'Show the app here.',
  by: exampleMaker,
};

const common = {
  scopes: ['content:write', 'content:approve'],
  anyScope: true,
  params: idParams('content', exampleIds.content),
} as const;

export const createComment = contentRoute('POST /content/{id}/comments', {
  ...common,
  summary: 'Comment on a content or one of its slides',
  description: 'A comment changes nothing about the content. A content has at most 1,000.',
  body: CreateCommentBody,
  status: 201,
  response: single(Comment),
  example: { body: { text: exampleComment.text, slide: 2 }, response: { data: exampleComment } },
});

export const listComments = contentRoute('GET /content/{id}/comments', {
  ...common,
  summary: 'List the comments on a content, newest first',
  description: 'The list includes comments on earlier versions.',
  query: body(pageQuery),
  response: list(Comment),
  example: { response: listExample(exampleComment) },
});
