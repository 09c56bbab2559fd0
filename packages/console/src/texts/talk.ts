export const talkTexts = {
  comments: {
    title: 'Comments',
    none: 'Nobody has said anything yet.',
    text: 'Comment',
    slide: 'About',
    whole: 'The whole deck',
    on: (slide: number) => `Slide ${slide}`,
    version: (version: number) => `version ${version}`,
    add: 'Add comment',
    older: 'Older comments',
  },
} as const;
