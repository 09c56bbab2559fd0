import { newId } from '@hookline/shared/kernel';
import { columnsOf, type Sql, type Transaction } from '@hookline/shared/postgres';
import type { ImageRow, StoredImage } from './record.ts';

export async function insertImages(
  tx: Transaction,
  { contentId, version, at }: { contentId: string; version: number; at: Date },
  images: readonly ImageRow[],
): Promise<void> {
  await tx.query(
    `insert into slide_images (id, content_id, version, slide_index, width, height, bytes, content_type, digest, created_at)
     select image.id, $1, $2, image.slide_index, image.width, image.height, image.bytes, image.content_type, image.digest, $3
     from unnest($4::text[], $5::int[], $6::int[], $7::int[], $8::int[], $9::text[], $10::bytea[])
       as image (id, slide_index, width, height, bytes, content_type, digest)`,
    [
      contentId,
      version,
      at,
      ...columnsOf(images, 'id', 'index', 'width', 'height', 'bytes', 'contentType', 'digest'),
    ],
  );
}

export function listImages(sql: Sql, contentId: string, version: number): Promise<ImageRow[]> {
  return sql.query<ImageRow>(
    `select id, slide_index as index, width, height, bytes, content_type as "contentType", digest
     from slide_images where content_id = $1 and version = $2 order by slide_index`,
    [contentId, version],
  );
}

/** The slides of a version under new ids, for another version or content that shows the same. */
export async function copyImages(sql: Sql, of: { id: string; version: number }): Promise<ImageRow[]> {
  const images = await listImages(sql, of.id, of.version);
  return images.map(image => ({ ...image, id: newId('image') }));
}

export function findImage(sql: Sql, id: string): Promise<StoredImage | null> {
  const [account, tables] = id.startsWith('picture_')
    ? ['i.account_id', 'pictures i']
    : ['c.account_id', 'slide_images i join contents c on c.id = i.content_id'];
  return sql.row<StoredImage>(
    `select i.id, i.content_type as "contentType", i.bytes, encode(i.digest, 'hex') as digest, ${account} as "accountId"
     from ${tables} where i.id = $1`,
    [id],
  );
}
