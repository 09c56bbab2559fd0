/** The template that fits an app with so many pictures of its own; its logo is none of them. */
export function fittingTemplate(photos: number): 'photo-card' | 'quote-card' {
  return photos >= 3 ? 'photo-card' : 'quote-card';
}
