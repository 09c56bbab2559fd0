import { z } from 'zod';
import { exampleIds } from '../contracts/examples.ts';

/** Who did it. */
export const By = z.object({
  kind: z.enum(['person', 'key']),
  id: z.string(),
  name: z.string(),
});
export type By = z.infer<typeof By>;

export const exampleBy: By = { kind: 'person', id: exampleIds.user, name: 'Maya' };
