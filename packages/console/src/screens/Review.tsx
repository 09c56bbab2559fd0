import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { api, isApiError } from '../api.ts';
import { isSeenWhole, markSeen, seenCount, useSeenCount } from '../seen.ts';
import { texts } from '../texts/shell.ts';
import { talkTexts } from '../texts/talk.ts';
import type { Content, One, SharedDeck } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { DecisionBar } from '../ui/DecisionBar.tsx';
import { SlideTexts } from '../ui/DeckTexts.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Field, TextArea } from '../ui/Field.tsx';
import { Mark } from '../ui/Icon.tsx';
import { Loading } from '../ui/Progress.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { Slides } from '../ui/Slides.tsx';
import { useAction } from '../ui/useAction.ts';
import { useTikTokFrame } from '../ui/useTikTokFrame.tsx';
import { dayAndTime } from '../zone.ts';

const words = talkTexts.review;
type Decision = keyof typeof words.titles;

/** What a review link shows to somebody without an account. Its token is behind the #, which no server gets. */
export function Review() {
  const token = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    document.title = `${words.title} · ${texts.product}`;
  }, []);
  const deck = useQuery({
    queryKey: ['review', token],
    queryFn: async () => (await api.post<One<SharedDeck>>('/review/open', { token })).data,
    enabled: token !== '',
  });
  const { error, data } = deck;
  if (token === '') return <Page title={words.ended} lead={words.noToken} />;
  if (isApiError(error, 'not_found')) return <Page title={words.ended} lead={error.message} />;
  if (isApiError(error, 'not_ready')) return <Page title={words.newer} lead={error.message} />;
  return (
    <Page title={words.title} lead={data && words.lead(data.workspace, data.version)}>
      {error && <ErrorBox error={error} onRetry={() => void deck.refetch()} />}
      {deck.isPending && <Loading />}
      {data && <Shared key={`${token}@${data.version}`} token={token} deck={data} onExpired={deck.refetch} />}
    </Page>
  );
}

function Page({ title, lead, children }: { title: string; lead?: string | undefined; children?: ReactNode }) {
  return (
    <main
      id="main"
      className="mx-auto grid w-full max-w-5xl [--bar:0px] [--below:env(safe-area-inset-bottom)] gap-3 px-4 pt-3 pb-44 sm:px-6 lg:py-8"
    >
      <header className="flex items-center gap-3">
        <Mark className="size-10" />
        <div className="min-w-0">
          <h1 className="text-xl leading-tight lg:text-2xl">{title}</h1>
          {lead && (
            <p dir="auto" className="text-sm text-soft">
              {lead}
            </p>
          )}
        </div>
      </header>
      {children}
    </main>
  );
}

type SharedProps = { token: string; deck: SharedDeck; onExpired: () => unknown };

function Shared({ token, deck, onExpired }: SharedProps) {
  const content = toContent(token, deck);
  const frame = useTikTokFrame(content, deck.handle);
  const [deciding, setDeciding] = useState<Decision | null>(null);
  useSeenCount();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const total = deck.slides.length;
  const { decided } = deck;
  const isSeen = isSeenWhole(content, total);
  const may = (decision: Decision) =>
    deck.mayDecide ? (isSeen ? () => setDeciding(decision) : null) : undefined;
  return (
    <section
      aria-label={deck.slides[0]?.text}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[auto_minmax(0,1fr)] lg:gap-10"
    >
      <Slides
        content={content}
        frame={frame}
        onSeen={slide => markSeen(content, slide)}
        onExpired={onExpired}
        className="h-[min(max(20rem,100dvh-15rem),calc((100vw-2rem)*16/9))] lg:h-[min(calc(100dvh-9rem),52rem)]"
      />
      <div className="grid content-start gap-4 lg:max-w-xl">
        <div className="grid gap-1 max-lg:sr-only">
          <h2 dir="auto" className="text-2xl break-words">
            {content.result?.hook}
          </h2>
          <p className="text-soft">{deck.handle}</p>
        </div>
        <div className="grid gap-2">
          <h2 className="text-lg">{words.caption}</h2>
          <p dir="auto" className="whitespace-pre-wrap break-words">
            {deck.caption || texts.approve.none}
          </p>
          <p dir="auto" className="font-medium break-words text-go-ink">
            {deck.hashtags.join(' ')}
          </p>
        </div>
        <SlideTexts content={content} />
        <p className="text-sm text-soft">
          {words.until(`${dayAndTime(deck.expiresAt, timeZone)} (${timeZone})`)}
        </p>
        <DecisionBar
          onReject={may('rejected')}
          onEdit={may('changes_requested')}
          askLabel={words.change}
          onApprove={may('approved')}
        >
          <div role="status" className={deck.mayDecide ? '' : 'grid gap-1 text-base text-ink'}>
            {deck.mayDecide && (isSeen ? words.seenAll : words.seen(seenCount(content), total))}
            {!deck.mayDecide && (
              <p className="font-semibold">{words.standing[decided?.decision ?? deck.approvalStatus]}</p>
            )}
            {decided && <p dir="auto">{words.sent(deck.workspace, decided.name)}</p>}
            {decided?.reason && (
              <p
                tabIndex={0}
                dir="auto"
                className="max-h-[20dvh] overflow-y-auto rounded-control bg-well p-2 text-start"
              >
                {decided.reason}
              </p>
            )}
          </div>
        </DecisionBar>
      </div>
      {deciding && deck.mayDecide && (
        <Decide token={token} deck={deck} decision={deciding} onClose={() => setDeciding(null)} />
      )}
    </section>
  );
}

const tones = { approved: 'go', rejected: 'float', changes_requested: 'primary' } as const;

type DecideProps = { token: string; deck: SharedDeck; decision: Decision; onClose: () => void };

function Decide({ token, deck, decision, onClose }: DecideProps) {
  const queries = useQueryClient();
  const isApproval = decision === 'approved';
  const decide = useAction<Record<string, string>, One<SharedDeck>>(
    given => api.post('/review/decide', { token, decision, ...given }),
    {
      onDone: ({ data }) => queries.setQueryData(['review', token], data),
      // The deck was decided, edited or withdrawn in the meantime; the page shows which.
      onFailed: () => queries.invalidateQueries({ queryKey: ['review', token] }),
    },
  );
  const submit = (given: FormData) =>
    decide.mutate(Object.fromEntries([...given].map(([name, value]) => [name, String(value).trim()])));
  return (
    <Dialog
      title={words.titles[decision]}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" form="decide" tone={tones[decision]} busy={decide.isPending}>
            {words.confirm[decision]}
          </Button>
        </>
      }
    >
      <ScriptForm id="decide" onSubmit={submit}>
        {isApproval && (
          <p
            tabIndex={0}
            dir="auto"
            className="max-h-40 overflow-y-auto rounded-control bg-well p-3 text-sm break-words"
          >
            {[deck.caption, ...deck.hashtags].join(' ')}
          </p>
        )}
        {decision !== 'approved' && (
          <TextArea label={words.reason[decision]} name="reason" required maxLength={500} />
        )}
        <Field
          label={words.name}
          name="name"
          hint={words.nameHint}
          autoComplete="name"
          required
          pattern=".*\S.*"
          maxLength={100}
        />
        {decide.error && <ErrorBox error={decide.error} />}
      </ScriptForm>
    </Dialog>
  );
}

/** As the parts of the console that draw a deck take it. */
function toContent(token: string, { version, slides, caption, hashtags }: SharedDeck) {
  const [hook = '', ...others] = slides.map(({ text }) => text);
  const bodySlides = others.map(text => ({ text }));
  const images = slides.flatMap(({ url, thumbnailUrl }) => (url === null ? [] : [{ url, thumbnailUrl }]));
  const result = { hook, bodySlides, caption, hashtags };
  return { id: token, version, images, result, brief: { ctaMode: 'none' } } as unknown as Content;
}
