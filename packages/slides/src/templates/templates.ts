/** The templates of finished slides. `needsPictures`: of the app, uploaded or from its store page. */
export const templates = [
  {
    id: 'quote-card',
    name: 'Quote card',
    description: 'Type on colour, in the look of the app and the colours of its brand.',
    needsPictures: false,
  },
  {
    id: 'photo-card',
    name: 'Photo card',
    description: 'Your pictures over the whole slide, with boxed type where it covers the least.',
    needsPictures: true,
  },
  {
    id: 'screenshot-card',
    name: 'Screenshot card',
    description: 'Type on colour; slides that speak of the app show a screenshot of it.',
    needsPictures: true,
  },
  {
    id: 'picture',
    name: 'Finished slides',
    description: 'Your pictures as they are, each a slide; no text is drawn.',
    needsPictures: true,
  },
] as const;

export type TemplateId = (typeof templates)[number]['id'];
/** The slides of `picture` are finished. */
export type DrawnTemplate = Exclude<TemplateId, 'picture'>;
