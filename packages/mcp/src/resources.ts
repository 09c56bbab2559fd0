import type { Content } from '@hookline/shared/contracts/content';
import { exampleIds } from '@hookline/shared/contracts/examples';
import { type Api, ask } from './api.ts';
import { readContent, readSlide, slideAddress } from './tools/decks.ts';
import type { Page } from './tools/lists.ts';

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

/** The cover of each of the newest decks, as `resources/list` answers it. @throws ApiFailure */
export async function listResources(api: Api) {
  const { data } = await ask<Page<Content>>(api, 'GET', '/content?status=ready&limit=50');
  return data
    .filter(({ images }) => images.length > 0)
    .map(({ id, result }) => ({
      uri: slideAddress(id, 1),
      name: `cover of ${id}`,
      title: result?.hook ?? id,
      mimeType: 'image/jpeg',
    }));
}

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
