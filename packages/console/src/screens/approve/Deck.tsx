import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { later } from '../../later.ts';
import { useMe } from '../../me.ts';
import { queryClient, timelineQuery } from '../../queries.ts';
import type { Look } from '../../rules/approve-queue.ts';
import { markSeen } from '../../seen.ts';
import { texts } from '../../texts/shell.ts';
import type { Content, ContentMoment } from '../../types.ts';
import { DeckNotice } from '../../ui/DeckNotice.tsx';
import { DeckCaption, SlideTexts } from '../../ui/DeckTexts.tsx';
import { SharedText } from '../../ui/SharedText.tsx';
import { Slides, type SlidesControl } from '../../ui/Slides.tsx';
import { useTikTokFrame } from '../../ui/useTikTokFrame.tsx';
import { useFirstLook } from './useFirstLook.ts';

const Comments = later(() => import('../talk/Comments.tsx'), 'Comments');
const AppReview = later(() => import('./AppReview.tsx'), 'AppReview');

/** A deck's timeline and app are read this long after its first slide is there: many are passed by. */
const settledMs = 300;

type Props = {
  content: Content;
  /** The same deck as read last: its links are the newest. */
  fresh: Content;
  control: RefObject<SlidesControl | null>;
  onLook: (look: Look) => void;
  /** Above the slides. */
  notice: ReactNode;
  children: ReactNode;
};

/** One version of one deck. */
export function Deck({ content, fresh, control, onLook, notice, children }: Props) {
  const frame = useTikTokFrame(content);
  const { canApprove } = useMe();
  const [isThere, setThere] = useState(false);
  const [isSettled, setSettled] = useState(false);
  const [hasExpired, setExpired] = useState(false);
  const section = useRef<HTMLElement>(null);
  useFirstLook(section, look => {
    setThere(true);
    onLook(look);
  });
  useEffect(() => {
    scrollTo({ top: 0 });
  }, []);
  useEffect(() => {
    if (!isThere) return;
    const timer = setTimeout(() => setSettled(true), settledMs);
    return () => clearTimeout(timer);
  }, [isThere]);
  const moments = useQuery({ ...timelineQuery(content.id), enabled: isSettled }).data;
  const maker = nameOf(moments?.find(({ what }) => what === 'made'));
  const editor = nameOf(moments?.findLast(({ what }) => what === 'edited'));
  const { result, writer, origin } = content;
  if (result === null) return notice;

  // Signed links live for 48 h, a tab may live longer. Until one fails, those that were loaded stay.
  const renewLinks = () => {
    setExpired(true);
    void queryClient.invalidateQueries({ queryKey: ['content'] });
  };
  const images = hasExpired && fresh.version === content.version ? fresh.images : content.images;
  const written = writer && nameOfWriter(writer);
  const facts = [
    [texts.approve.by, writer?.repaired ? `${written}, ${texts.approve.repaired}` : written],
    [texts.approve.because, writer?.because],
    [texts.approve.askedBy, maker ?? (origin && texts.approve.byAutomation)],
    [texts.approve.editedBy, editor],
  ].filter(([, value]) => value);

  return (
    <section
      ref={section}
      aria-label={result.hook}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-start lg:gap-10"
    >
      <div className="empty:hidden lg:col-span-2">{notice}</div>
      <Slides
        content={{ ...content, images }}
        frame={frame}
        control={control}
        onSeen={slide => markSeen(content, slide)}
        onExpired={renewLinks}
        className="h-[min(max(20rem,100dvh-21rem),calc((100vw-2rem)*16/9))] lg:sticky lg:top-8 lg:h-[min(calc(100dvh-8rem),52rem)]"
      />
      <div className="grid gap-4 lg:max-w-xl lg:gap-5 lg:pt-2">
        {isSettled && canApprove && (
          <Suspense>
            <AppReview appId={content.appId} />
          </Suspense>
        )}
        <DeckNotice content={content} />
        <SharedText freshness={content.freshness} />
        {content.images.length === 0 && (
          <p className="rounded-control bg-warn-wash p-3 text-sm text-warn-ink">{texts.approve.noPictures}</p>
        )}
        <h2 dir="auto" className="font-sans text-xl leading-tight max-lg:sr-only lg:text-2xl">
          {result.hook}
        </h2>
        <DeckCaption content={content} />
        <SlideTexts content={content} />
        {/* Above what arrives later: the buttons keep their place. */}
        {children}
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {facts.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {isSettled && (
          <Suspense>
            <Comments content={content} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

function nameOf(moment: ContentMoment | undefined): string | null {
  if (!moment?.by) return null;
  return `${texts.approve.kinds[moment.by.kind]} ${moment.by.name}`;
}

function nameOfWriter({ kind, name }: NonNullable<Content['writer']>): string {
  if (kind === 'model') return texts.approve.byModel(name);
  return kind === 'given' ? texts.approve.byGiven : texts.approve.byBuiltin;
}
