/** What a caller stores with a record to find it again. */
import { z } from 'zod';
import { answerText } from './answer-fields.ts';
import { filledText, text } from './fields.ts';

const pairsMax = 20;
const [nameMax, valueMax] = [40, 500];

export const ownFieldsInput = {
  externalId: filledText(200)
    .optional()
    .meta({ description: 'Your own id for it. Several may have the same.' }),
  metadata: z
    .record(text(1, nameMax), text(0, valueMax), {
      error: ({ code }) =>
        code === 'invalid_key'
          ? `must have a name of 1 to ${nameMax} characters`
          : 'must be a JSON object of texts',
    })
    .refine(pairs => Object.keys(pairs).length <= pairsMax, `must have at most ${pairsMax} pairs`)
    .optional()
    .meta({ maxProperties: pairsMax, description: 'Texts of your own by name.' }),
};

/** Absent where none was given. */
export const ownFields = {
  externalId: answerText(200).optional(),
  metadata: z.record(answerText(nameMax), answerText(valueMax)).optional().meta({ maxProperties: pairsMax }),
};

export type OwnFields = { externalId: string | null; metadata: Record<string, string> | null };

export function toOwnFields({ externalId, metadata }: OwnFields) {
  return { ...(externalId !== null && { externalId }), ...(metadata !== null && { metadata }) };
}
