import { expect, it } from 'vitest';
import { previewId, readPreviewId } from './preview.rules.ts';

const digest = Buffer.alloc(32, 0xab);

it('the id of a preview has type, size and digest', () => {
  const id = previewId({ contentType: 'image/jpeg', bytes: 184_320, digest });
  expect(readPreviewId(id)).toEqual({
    id,
    contentType: 'image/jpeg',
    bytes: 184_320,
    digest: digest.toString('hex'),
  });
});

it.each(['image_01k9ztqe3a6d9g2j5m8p1s4v7y', 'preview_jpeg_1_../../secret', 'preview_png_1_', ''])(
  '%j is none',
  id => {
    expect(readPreviewId(id)).toBeNull();
  },
);
