/** What a caller stores with a record to find it again. */
import { z } from 'zod';
import { answerText } from './answer-fields.ts';
import { filledText, text } from './fields.ts';

const pairsMax = 20;
const [nameMax, valueMax] = [40, 500];

const externalId = filledText(200);
const metadata = z
  .record(text(1, nameMax), text(0, valueMax), {
    error: ({ code }) =>
      code === 'invalid_key'
        ? `must have a name of 1 to ${nameMax} characters`
        : 'must be a JSON object of texts',
  })
  .refine(pairs => Object.keys(pairs).length <= pairsMax, `must have at most ${pairsMax} pairs`);
const idMeta = { description: 'Your own id for it. Several may have the same.' };
const pairsMeta = { maxProperties: pairsMax, description: 'Texts of your own by name.' };

export const ownFieldsInput = {
  externalId: externalId.optional().meta(idMeta),
  metadata: metadata.optional().meta(pairsMeta),
};

/** In a change; null clears. */
export const ownFieldsChange = {
  externalId: externalId.nullable().optional().meta(idMeta),
  metadata: metadata.nullable().optional().meta(pairsMeta),
};

export const externalIdFilter = externalId
  .optional()
  .meta({ description: 'Return only those with this `externalId`.' });

export const ownFields = {
  externalId: answerText(200).nullable(),
  metadata: z.record(answerText(nameMax), answerText(valueMax)).nullable().meta({ maxProperties: pairsMax }),
};

export const exampleOwnFields = { externalId: 'row-7', metadata: { sheet: 'may' } };

export type OwnFields = { externalId: string | null; metadata: Record<string, string> | null };

export type GivenOwnFields = { [Name in keyof OwnFields]?: OwnFields[Name] | undefined };

/** @param before what stays where a change gives nothing */
export function readOwnFields(given: GivenOwnFields, before?: OwnFields): OwnFields {
  const { externalId = before?.externalId ?? null, metadata = before?.metadata ?? null } = given;
  return { externalId, metadata };
}
