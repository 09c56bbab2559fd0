import type { z } from 'zod';
import { answerList, answerText, count, idField, record, timestamp } from './answer-fields.ts';
import { single } from './envelope.ts';
import { exampleIds } from './examples.ts';
import { gatewayRoute } from './route.ts';

const windowNames = ['requests_per_address', 'requests', 'generations'] as const;
const ceilingNames = ['daily_generation', 'keys'] as const;

export const UsageRow = record('UsageRow', {
  name: answerText(64, '^[a-z_]+$'),
  limit: count,
  used: count.meta({ description: 'A window: requests of the last 60 s, this one included.' }),
  resetsAt: timestamp.nullable().meta({
    description:
      'When `used` falls without another request: for a window when its oldest request is 60 s old. `null`: it does not.',
  }),
});
export type UsageRow = z.infer<typeof UsageRow>;

export const Usage = record('Usage', {
  workspaceId: idField.meta({
    description: 'The console shows this workspace at `/console/in/{workspaceId}/`.',
  }),
  windows: answerList(UsageRow, windowNames.length),
  ceilings: answerList(UsageRow, ceilingNames.length),
});

export const getUsage = gatewayRoute('GET /usage', {
  scopes: [],
  summary: 'Get what the limits leave',
  description:
    'Windows of a minute: `requests_per_address`, `requests` and `generations` (`POST /content`) of this key. Ceilings of the workspace: `keys` that are live and, with the scope `credits:read`, `daily_generation`. A row that cannot be read now is left out.',
  response: single(Usage),
  example: {
    response: {
      data: {
        workspaceId: exampleIds.workspace,
        windows: [
          { name: 'requests_per_address', limit: 300, used: 12, resetsAt: '2026-11-21T09:00:31.000Z' },
          { name: 'requests', limit: 120, used: 12, resetsAt: '2026-11-21T09:00:31.000Z' },
          { name: 'generations', limit: 10, used: 0, resetsAt: null },
        ],
        ceilings: [
          { name: 'keys', limit: 50, used: 2, resetsAt: null },
          { name: 'daily_generation', limit: 200, used: 1, resetsAt: '2026-11-22T00:00:00.000Z' },
        ],
      },
    },
  },
});
