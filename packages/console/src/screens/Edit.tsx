import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useBlocker, useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { api, isApiError, ownOrigin } from '../api.ts';
import { keepDraft, readDraft } from '../drafts.ts';
import { TemplateSelect } from '../manage/TemplateSelect.tsx';
import { useMe } from '../me.ts';
import { contentQuery, picturesQuery, queryClient, replaceContent, sessionQuery } from '../queries.ts';
import { closingField } from '../rules/deck.ts';
import { type DraftSlide, draftOf, type EditDraft, editOf, moved } from '../rules/edit-draft.ts';
import { texts } from '../texts/shell.ts';
import { workTexts } from '../texts/work.ts';
import type { Content, ContentEdit, One } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field, TextArea } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loading } from '../ui/Progress.tsx';
import { Screen } from '../ui/Screen.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Slides, type SlidesControl } from '../ui/Slides.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';
import { useTikTokFrame } from '../ui/useTikTokFrame.tsx';
import { RowButton, SlideFields } from './edit/SlideFields.tsx';
import { Said } from './post/Said.tsx';

const routeApi = getRouteApi('/in/posts/$contentId/edit');
const words = workTexts.edit;
/** An account may draw 30 edits a minute. */
const previewAfterMs = 500;

/** The version that the person began with, of which a newer one is noticed when saving, and what was typed. */
type Begun = { content: Content; draft: EditDraft };

const nameOf = (contentId: string) => `edit ${contentId}`;

export function Edit() {
  const { contentId } = routeApi.useParams();
  const content = useQuery(contentQuery(contentId));
  const session = useQuery(sessionQuery);
  const [begun, setBegun] = useState<Begun | null>(null);
  if (begun === null && content.data && !session.isPending)
    setBegun(readDraft<Begun>(nameOf(contentId)) ?? { content: content.data, draft: draftOf(content.data) });
  const { canEdit, role } = useMe();
  if (!canEdit) {
    return (
      <Screen name={words.title}>
        <p className="text-soft">{texts.common.roleLacks(role, words.editDecks)}</p>
      </Screen>
    );
  }
  if (content.isError && begun === null) {
    return (
      <Screen name={words.title}>
        <ErrorBox error={content.error} onRetry={() => void content.refetch()} />
      </Screen>
    );
  }
  return (
    <Screen name={words.title} lead={words.needsApproval} isWide>
      {begun ? (
        <Form begun={begun.content} first={begun.draft} fresh={content.data ?? begun.content} />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

/**
 * @param fresh the same deck as read last: its links are the newest, its texts may be those of somebody else
 */
function Form({ begun, first, fresh }: { begun: Content; first: EditDraft; fresh: Content }) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(first);
  const [newer, setNewer] = useState<Content | null>(null);
  const [slide, setSlideShown] = useState(1);
  const edit = editOf(begun, draft);
  const { preview, error: previewError, isDrawing, drawAgain } = usePreview(begun, edit);
  const unedited = fresh.version === begun.version ? fresh : begun;
  const shown = preview ?? unedited;
  const fieldsOf = (index: number) => ({
    isOpen: index === slide,
    onFocus: () => setSlideShown(index),
  });
  const closing = closingField(begun);
  const set = (change: Partial<EditDraft>) => setDraft(before => ({ ...before, ...change }));
  const setSlide = (index: number, change: Partial<DraftSlide>) =>
    set({ slides: draft.slides.map((slide, at) => (at === index ? { ...slide, ...change } : slide)) });
  const hasImages = draft.templateId !== null;
  const needsPictures = hasImages && draft.templateId !== 'quote-card';
  const isPicture = draft.templateId === 'picture';
  const kind = isPicture ? 'slide' : undefined;
  const pictures = useQuery({ ...picturesQuery(begun.appId, kind), enabled: needsPictures }).data ?? [];

  const isEdited = edit !== null;
  useEffect(() => {
    keepDraft(nameOf(begun.id), isEdited ? { content: begun, draft } : null);
  }, [begun, draft, isEdited]);
  const blocker = useBlocker({
    // A session that ended leads there and back; what was typed is kept. The sheet of a new deck opens above.
    shouldBlockFn: ({ current, next }) =>
      isEdited && next.routeId !== '/sign-in' && next.pathname !== current.pathname,
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  });

  const save = useAction(
    async ({ given, over }: { given: ContentEdit; over: Content }) => {
      const path = `/content/${begun.id}`;
      const { data: now } = await api.get<One<Content>>(path);
      if (now.version !== over.version) {
        // After a lost answer the newer version is this person's own.
        return { now, isSaved: editOf(now, draft) === null };
      }
      const { data } = await api.patch<One<Content>>(path, given);
      replaceContent(data);
      return { now: data, isSaved: true };
    },
    {
      changes: ['content', 'schedules'],
      onDone: ({ now, isSaved }) => {
        if (!isSaved) return setNewer(now);
        keepDraft(nameOf(begun.id), null);
        showToast({ text: words.savedAs(now.version) });
        void navigate({ to: '/approve', search: { deck: now.id }, ignoreBlocker: true });
      },
    },
  );
  const hooks = begun.result?.hookOptions.filter(hook => hook !== draft.hook) ?? [];
  return (
    <ScriptForm
      className="flex flex-col gap-4 pb-24 max-lg:[&_textarea]:scroll-mt-[45dvh] lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-10 lg:pb-0"
      onSubmit={() => {
        if (edit) save.mutate({ given: edit, over: begun });
      }}
    >
      <div className="max-w-2xl empty:hidden lg:col-start-2">
        <Said content={begun} />
      </div>
      <section
        aria-label={words.preview}
        className="sticky top-0 z-10 -mx-4 flex gap-3 bg-ground px-4 py-2 lg:top-6 lg:row-span-2 lg:row-start-1 lg:mx-0 lg:self-start lg:p-0"
      >
        <Viewer
          content={shown}
          slide={slide}
          isDrawing={isDrawing}
          onSeen={setSlideShown}
          onExpired={() => {
            if (preview) drawAgain();
            else void queryClient.invalidateQueries({ queryKey: contentQuery(begun.id).queryKey });
          }}
        />
        <SlideChoice
          images={shown.images}
          count={draft.slides.length + (closing ? 2 : 1)}
          slide={slide}
          onChoose={setSlideShown}
        />
      </section>
      <div className="grid max-w-2xl content-start gap-4 lg:col-start-2">
        {!isPicture && (
          <div className="max-lg:order-1">
            <TemplateSelect
              value={draft.templateId ?? ''}
              isRequired={begun.templateId !== null}
              onChange={id => set({ templateId: (id || null) as EditDraft['templateId'] })}
            />
          </div>
        )}
        <SlideFields
          label={words.hook}
          text={draft.hook}
          maxLength={300}
          look={draft.coverLook}
          pictures={pictures}
          isFinished={isPicture}
          onText={hook => set({ hook })}
          {...fieldsOf(1)}
          onLook={hasImages ? coverLook => set({ coverLook }) : null}
        />
        {hooks.length > 0 && (
          <details className={slide === 1 ? '' : 'max-lg:hidden'}>
            <summary className="min-h-11 content-center text-sm font-semibold">{words.otherHooks}</summary>
            <div className="grid gap-2">
              {hooks.map(hook => (
                <Button
                  key={hook}
                  size="small"
                  className="justify-start !whitespace-normal py-2 text-start !font-medium"
                  onClick={() => set({ hook })}
                >
                  <span dir="auto">{hook}</span>
                </Button>
              ))}
            </div>
          </details>
        )}
        {draft.slides.map((slide, index) => (
          <SlideFields
            key={`${index + 1}`}
            label={words.slide(index + 2)}
            text={slide.text}
            isPicture={isPicture}
            maxLength={500}
            look={slide}
            pictures={pictures}
            isFinished={isPicture}
            onText={text => setSlide(index, { text })}
            {...fieldsOf(index + 2)}
            onLook={hasImages ? look => setSlide(index, look) : null}
          >
            {draft.slides.length > 1 && (
              <SlideButtons
                index={index}
                count={draft.slides.length}
                onMove={by => {
                  set({ slides: moved(draft.slides, index, by) });
                  setSlideShown(index + 2 + by);
                }}
                onRemove={() => {
                  set({ slides: draft.slides.filter((_, at) => at !== index) });
                  setSlideShown(index + 1);
                }}
              />
            )}
          </SlideFields>
        ))}
        {draft.slides.length < 33 && (
          <Button
            size="small"
            className="justify-self-start"
            icon={<Icon name="plus" />}
            onClick={() => {
              set({ slides: [...draft.slides, { text: '' }] });
              setSlideShown(draft.slides.length + 2);
            }}
          >
            {words.addSlide}
          </Button>
        )}
        {closing && (
          <SlideFields
            label={words.closing(draft.slides.length + 2)}
            text={draft.closing}
            maxLength={500}
            look={draft.closingLook}
            pictures={pictures}
            isFinished={isPicture}
            onText={text => set({ closing: text })}
            {...fieldsOf(draft.slides.length + 2)}
            onLook={hasImages ? closingLook => set({ closingLook }) : null}
          />
        )}
        <TextArea
          label={words.caption}
          maxLength={2200}
          value={draft.caption}
          onValue={caption => set({ caption })}
        />
        <Field
          label={words.hashtags}
          hint={words.hashtagsHint}
          value={draft.hashtags}
          onValue={hashtags => set({ hashtags })}
        />
        {save.error && <ErrorBox error={save.error} />}
        <div className="fixed inset-x-0 bottom-(--bar) z-10 flex flex-wrap gap-3 border-t border-line bg-ground/95 p-3 backdrop-blur max-[18rem]:static lg:sticky lg:bottom-0 lg:bg-ground lg:px-0 lg:py-4">
          {previewError && (
            <div className="basis-full">
              <ErrorBox title={words.previewFailed} error={previewError} onPassed={drawAgain} />
            </div>
          )}
          {edit === null && <p className="basis-full text-sm text-soft lg:order-last">{words.unchanged}</p>}
          <Button
            size="large"
            className="flex-1 lg:flex-none lg:px-8"
            onClick={() => void navigate({ to: '/posts/$contentId', params: { contentId: begun.id } })}
          >
            {texts.common.cancel}
          </Button>
          <Button
            type="submit"
            tone="primary"
            size="large"
            className="flex-1 lg:flex-none lg:px-8"
            disabled={edit === null}
            busy={save.isPending}
          >
            {texts.common.save}
          </Button>
        </div>
      </div>
      {newer && edit && (
        <ConfirmDialog
          title={words.overwriteTitle}
          confirm={words.overwrite}
          action={save}
          onConfirm={() => save.mutate({ given: editOf(newer, draft) ?? edit, over: newer })}
          onClose={() => setNewer(null)}
        >
          {words.overwriteBody(newer.version)}
        </ConfirmDialog>
      )}
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          title={words.leave}
          confirm={words.leaveNow}
          onConfirm={() => {
            keepDraft(nameOf(begun.id), null);
            blocker.proceed();
          }}
          onClose={blocker.reset}
          backCloses={false}
        >
          {words.leaveBody}
        </ConfirmDialog>
      )}
    </ScriptForm>
  );
}

type ViewerProps = Pick<ComponentProps<typeof Slides>, 'content' | 'onSeen' | 'onExpired'> & {
  slide: number;
  isDrawing: boolean;
};

/** The slides as they would be, at the one that is edited. */
function Viewer({ slide, isDrawing, ...slides }: ViewerProps) {
  const strip = useRef<SlidesControl>(null);
  const frame = useTikTokFrame(slides.content);
  useEffect(() => strip.current?.show(slide), [slide]);
  return (
    <div className="relative lg:grow">
      <Slides
        {...slides}
        frame={frame}
        control={strip}
        className="w-[min(max(22.5dvh,8rem),50vw)] lg:w-full lg:max-w-[min(20rem,calc((100dvh-12rem)*9/16))]"
      />
      <p
        role="status"
        className={`pointer-events-none absolute inset-x-0 bottom-4 mx-auto w-fit rounded-full px-3 py-1 text-sm text-white ${isDrawing ? 'bg-black/60' : ''}`}
      >
        {isDrawing && words.drawing}
      </p>
    </div>
  );
}

type SlideChoiceProps = {
  images: Content['images'];
  count: number;
  slide: number;
  onChoose: (slide: number) => void;
};

/** A phone has the fields of one slide at a time. */
function SlideChoice({ images, count, slide, onChoose }: SlideChoiceProps) {
  return (
    <ul className="grid max-h-[40dvh] flex-1 grid-cols-[repeat(auto-fill,2.75rem)] content-start gap-1.5 overflow-y-auto lg:hidden">
      {Array.from({ length: count }, (_, at) => {
        const drawn = images.find(({ index }) => index === at + 1)?.thumbnailUrl;
        return (
          <li key={`${at + 1}`}>
            <button
              type="button"
              aria-label={words.openSlide(at + 1)}
              aria-current={slide === at + 1 || undefined}
              onClick={() => onChoose(at + 1)}
              className="grid aspect-[9/16] w-full place-items-center overflow-hidden rounded-control border-2 border-line bg-well text-sm aria-[current]:border-go"
            >
              {drawn ? <img src={ownOrigin(drawn)} alt="" className="size-full object-cover" /> : at + 1}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

type SlideButtonsProps = { index: number; count: number; onMove: (by: 1 | -1) => void; onRemove: () => void };

function SlideButtons({ index, count, onMove, onRemove }: SlideButtonsProps) {
  const label = words.slide(index + 2);
  return (
    <span className="flex">
      <RowButton
        label={words.earlier(label)}
        icon="back"
        turn="rotate-90"
        isDisabled={index === 0}
        onPress={() => onMove(-1)}
      />
      <RowButton
        label={words.later(label)}
        icon="back"
        turn="-rotate-90"
        isDisabled={index === count - 1}
        onPress={() => onMove(1)}
      />
      <RowButton label={words.removeSlide(index + 2)} icon="cross" onPress={onRemove} />
    </span>
  );
}

type Preview = { preview: Content | null; error: Error | null; isDrawing: boolean };

/**
 * The deck as it would be, drawn by the product a moment after the last key; nothing is stored.
 * Its links last 10 minutes.
 */
function usePreview(begun: Content, edit: ContentEdit | null): Preview & { drawAgain: () => void } {
  const [state, setState] = useState<Preview>({ preview: null, error: null, isDrawing: false });
  const [round, setRound] = useState(0);
  const body = JSON.stringify(edit);
  useEffect(() => {
    if (body === 'null') {
      setState({ preview: null, error: null, isDrawing: false });
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      setState(before => ({ ...before, isDrawing: true }));
      try {
        const { data } = await api.patch<One<Content>>(`/content/${begun.id}`, JSON.parse(body), {
          query: { dryRun: true },
          signal: abort.signal,
        });
        setState({ preview: data, error: null, isDrawing: false });
      } catch (error) {
        if (abort.signal.aborted) return;
        // Too many drawings: the picture stays as it is; saving is not affected.
        const isQuiet = isApiError(error, 'rate_limited');
        setState(before => ({ ...before, error: isQuiet ? null : (error as Error), isDrawing: false }));
      }
    }, previewAfterMs);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [begun.id, body, round]);
  return { ...state, drawAgain: () => setRound(before => before + 1) };
}
