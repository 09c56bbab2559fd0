import type { Content, ContentEdit, SlideLook } from '../types.ts';
import { closingField } from './deck.ts';

export type DraftSlide = SlideLook & { text: string };

/** The fields of the edit form. */
export type EditDraft = {
  hook: string;
  coverLook: SlideLook;
  slides: readonly DraftSlide[];
  closing: string;
  closingLook: SlideLook;
  templateId: NonNullable<Content['templateId']> | null;
  caption: string;
  /** Separated by white space. */
  hashtags: string;
};

export function draftOf(content: Content): EditDraft {
  const { result } = content;
  const closing = closingField(content);
  return {
    hook: result?.hook ?? '',
    coverLook: result?.coverLook ?? {},
    slides: result?.bodySlides ?? [],
    closing: (closing && result?.[closing]) ?? '',
    closingLook: result?.closingLook ?? {},
    templateId: content.templateId,
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
  if (!isSame(draft.slides, before.slides)) {
    edit.bodySlides = draft.slides.map(slide => ({ ...lookOf(slide), text: slide.text }));
  }
  for (const field of ['coverLook', 'closingLook'] as const)
    if (!isSame([draft[field]], [before[field]])) edit[field] = lookOf(draft[field]);
  if (draft.templateId !== null && draft.templateId !== before.templateId) edit.templateId = draft.templateId;
  if (closing !== null && draft.closing !== before.closing) edit[closing] = draft.closing;
  if (draft.caption !== before.caption) edit.caption = draft.caption;
  const hashtags = hashtagsOf(draft.hashtags);
  if (hashtags.join(' ') !== before.hashtags) edit.hashtags = hashtags;
  return Object.keys(edit).length === 0 ? null : edit;
}

type Looked = SlideLook & { text?: string };

const lookOf = ({ pictureId, position }: SlideLook): SlideLook => ({
  ...(pictureId && { pictureId }),
  ...(position && { position }),
});

function isSame(some: readonly Looked[], others: readonly Looked[]): boolean {
  const plain = (all: readonly Looked[]) =>
    JSON.stringify(all.map(({ text, pictureId, position }) => [text, pictureId, position]));
  return plain(some) === plain(others);
}

/** A list with the item at `from` moved by one place. */
export function moved<T>(list: readonly T[], from: number, by: 1 | -1): T[] {
  const [one, other] = [list[from], list[from + by]];
  if (one === undefined || other === undefined) return [...list];
  return list.with(from, other).with(from + by, one);
}

/** Words with a leading #, which people may leave out. */
function hashtagsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map(word => word.replace(/^#+/, ''))
    .filter(Boolean)
    .map(word => `#${word}`);
}
