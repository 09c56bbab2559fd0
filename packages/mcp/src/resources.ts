import { exampleIds } from '@hookline/shared/contracts/examples';
import type { Api } from './api.ts';
import { readContent, readSlide, slideAddress } from './tools/decks.ts';

/** Templates as `resources/templates/list` answers them. */
export const resourceTemplates = [
  {
    uriTemplate: 'hookline://content/{id}/slides/{n}',
    name: 'slide',
    title: 'Slide image',
    description: `The picture of slide n of a deck, from 1, such as ${slideAddress(exampleIds.content, 1)}.`,
    mimeType: 'image/jpeg',
  },
];

const slidePattern = /^hookline:\/\/content\/([\w-]{1,64})\/slides\/(\d{1,2})$/;

/** Null: there is no such resource. @throws ApiFailure */
export async function readResource(
  uri: string,
  api: Api,
): Promise<{ uri: string; mimeType: string; blob: string } | null> {
  const [, contentId, n] = slidePattern.exec(uri) ?? [];
  if (contentId === undefined) return null;
  const picture = await readSlide(api, await readContent(api, contentId), Number(n));
  if (!picture) return null;
  return { uri, mimeType: picture.contentType, blob: Buffer.from(picture.bytes).toString('base64') };
}
