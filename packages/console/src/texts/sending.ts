/** The texts of the switch that stops every post, and of the line above the screens while they are stopped. */
export const sendingTexts = {
  stop: 'Stop all posts',
  question: 'Stop every post of this workspace?',
  effect:
    'From now on nothing is posted until an owner lets it go on. A post that TikTok is taking right now is not called back. What waits keeps its time; more than two hours late, it has to be retried.',
  confirm: 'Stop all posts',
  paused: 'All posts of this workspace are stopped.',
  resume: 'Let them go on',
} as const;
