import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { activitiesSchema, framesSchema, packSchema } from './data-files.ts';

const data = new URL('../data/', import.meta.url);
const schemas = { packs: packSchema, activities: activitiesSchema, frames: framesSchema };
const files = Object.entries(schemas).flatMap(([folder, schema]) =>
  readdirSync(new URL(`${folder}/`, data), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.json'))
    .map(file => ({ path: `${folder}/${file}`, schema })),
);

it('finds the files of every kind', () => {
  expect(files.length).toBeGreaterThanOrEqual(30);
});

it.each(files)('$path is what its schema describes', ({ path, schema }) => {
  expect(schema.safeParse(JSON.parse(readFileSync(new URL(path, data), 'utf8'))).error?.issues ?? []).toEqual(
    [],
  );
});

it('reports a misspelt field', () => {
  const pack = JSON.parse(readFileSync(new URL('packs/en/default.json', data), 'utf8')) as object;
  expect(packSchema.safeParse({ ...pack, lesons: [] }).success).toBe(false);
});
