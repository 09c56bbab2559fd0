import type { Content, ContentEdit } from '../types.ts';
import { closingField } from './deck.ts';

/** The fields of the edit form. */
export type EditDraft = {
  hook: string;
  slides: readonly string[];
  closing: string;
  caption: string;
  /** Separated by white space. */
  hashtags: string;
};

export function draftOf(content: Content): EditDraft {
  const { result } = content;
  const closing = closingField(content);
  return {
    hook: result?.hook ?? '',
    slides: result?.bodySlides.map(({ text }) => text) ?? [],
    closing: (closing && result?.[closing]) ?? '',
    caption: result?.caption ?? '',
    hashtags: result?.hashtags.join(' ') ?? '',
  };
}

/** The body of the edit that turns `content` into the draft; null when they are the same. */
export function editOf(content: Content, draft: EditDraft): ContentEdit | null {
  const before = draftOf(content);
  const closing = closingField(content);
  const edit: ContentEdit = {};
  if (draft.hook !== before.hook) edit.hook = draft.hook;
  if (JSON.stringify(draft.slides) !== JSON.stringify(before.slides)) {
    edit.bodySlides = draft.slides.map(text => ({ text }));
  }
  if (closing !== null && draft.closing !== before.closing) edit[closing] = draft.closing;
  if (draft.caption !== before.caption) edit.caption = draft.caption;
  const hashtags = hashtagsOf(draft.hashtags);
  if (hashtags.join(' ') !== before.hashtags) edit.hashtags = hashtags;
  return Object.keys(edit).length === 0 ? null : edit;
}

/** Words with a leading #, which people may leave out. */
function hashtagsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map(word => word.replace(/^#+/, ''))
    .filter(Boolean)
    .map(word => `#${word}`);
}
