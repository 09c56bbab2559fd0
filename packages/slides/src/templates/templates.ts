/** The templates of finished slides. `needsPictures`: of the app, uploaded or from its store page. */
export const templates = [
  {
    id: 'quote-card',
    name: 'Quote card',
    description: 'Type on colour, in one of six looks or in the colours of the brand.',
    needsPictures: false,
  },
  {
    id: 'photo-card',
    name: 'Photo card',
    description: 'Your pictures over the whole slide, darkened under the text as far as it needs.',
    needsPictures: true,
  },
  {
    id: 'screenshot-card',
    name: 'Screenshot card',
    description: 'Type on colour; body and closing slides show the app on a phone.',
    needsPictures: true,
  },
] as const;

export type TemplateId = (typeof templates)[number]['id'];
