import { z } from 'zod';
import { By, exampleBy } from './by.ts';
import { defineEvent } from './envelope.ts';

const topic = 'scheduling.accounts' as const;

const OfAccount = z.object({
  username: z.string().nullable(),
  displayName: z.string(),
  by: By.nullable(),
});

export const accountConnected = defineEvent({
  type: 'account.connected',
  version: 1,
  topic,
  about: 'A TikTok account was connected, or connected again.',
  data: OfAccount,
  example: { username: 'pebblo.app', displayName: 'Pebblo', by: exampleBy },
});

export const accountDisconnected = defineEvent({
  type: 'account.disconnected',
  version: 1,
  topic,
  about: 'A TikTok account was disconnected by its workspace.',
  data: OfAccount,
  example: { username: 'pebblo.app', displayName: 'Pebblo', by: exampleBy },
});
