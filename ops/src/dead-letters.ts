import { defineCommand } from './command.ts';
import { redrive } from './redrive.ts';

export const command = defineCommand({
  does: 'shows what nobody dealt with: dead letters, and events that the bus refused; changes nothing',
  options: { topic: { type: 'string', says: 'only those of this topic' } },
  run: ({ env, values, print }) => redrive(env, { action: 'show', topic: values.topic }, print),
});
