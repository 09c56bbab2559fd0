import { appLearned } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import { learn } from './learn.ts';

export const lessonsConsumer: Consumer = {
  name: 'lessons',
  gathers: true,
  reactions: [on(appLearned, learn)],
};
