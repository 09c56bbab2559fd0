import { Lesson } from '../contracts/lesson.ts';
import { defineEvent } from './envelope.ts';

export const appLearned = defineEvent({
  type: 'app.learned',
  topic: 'analytics.lessons',
  about:
    'New results changed what is known of the hooks of an app. The event has all of it; the newest counts.',
  data: Lesson,
  example: {
    best: [{ value: 'Nobody sees the rest day', decks: 1, views: 5200, mean: 0.41, sd: 0.65 }],
    worst: [{ value: 'Five apps for your morning', decks: 2, views: 140, mean: -0.52, sd: 0.58 }],
    archetypes: [{ value: 'listicle', decks: 41, mean: 0.64, sd: 0.19 }],
    forms: [{ value: 'question', decks: 12, mean: 0.33, sd: 0.27 }],
  },
});
