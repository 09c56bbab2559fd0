/** What somebody asks for in the sheet of a new deck. */
export type NewDeckDraft = {
  /** Undefined until somebody chooses. */
  appId?: string | undefined;
  templateId?: string | undefined;
  about: 'app' | 'topic' | 'hook' | 'texts' | 'pictures' | 'list';
  topic: string;
  hook: string;
  /** The cover and the slides, a line each. */
  lines: string;
  closing: string;
  /** Finished slides in their order, uploaded. */
  pictures: readonly { id: string; url: string }[];
  caption: string;
  /** As pasted, or the text of a file. */
  list: string;
  /** Empty: as many as the writer needs. */
  slideCount: string;
};

export type DraftChange = Partial<NewDeckDraft> | ((before: NewDeckDraft) => Partial<NewDeckDraft>);

export const blankDraft: NewDeckDraft = {
  about: 'app',
  topic: '',
  hook: '',
  lines: '',
  closing: '',
  pictures: [],
  caption: '',
  list: '',
  slideCount: '',
};

/** @param templateId empty: texts only */
export function briefOf(draft: NewDeckDraft, templateId: string): object {
  const { about, slideCount } = draft;
  if (about === 'pictures') {
    const caption = draft.caption.trim();
    return {
      templateId: 'picture',
      hook: draft.hook.trim(),
      pictureIds: draft.pictures.map(({ id }) => id),
      ...(caption === '' ? {} : { caption }),
    };
  }
  return {
    ...aboutOf(draft),
    ...(about === 'texts' || slideCount === '' ? {} : { slideCount: Number(slideCount) }),
    ...(templateId === '' ? {} : { templateId }),
  };
}

function aboutOf({ about, topic, hook, lines, closing }: NewDeckDraft): object {
  if (about === 'topic') return { topic: topic.trim() };
  if (about === 'hook') return { hook: hook.trim() };
  if (about === 'app' || about === 'list') return {};
  const [cover = '', ...slides] = lines
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
  const last = closing.trim();
  return {
    hook: cover,
    slides: slides.map(text => ({ text })),
    ...(last === '' ? {} : { closing: last }),
  };
}
