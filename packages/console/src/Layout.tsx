import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CatchBoundary, Link, Outlet, useRouterState, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ApiError } from './api.ts';
import { usePending } from './decisions.ts';
import { later, loadParts } from './later.ts';
import { followChanges } from './live.ts';
import { useMe } from './me.ts';
import { sessionQuery } from './queries.ts';
import { type ScreenName, texts } from './texts/shell.ts';
import { Button } from './ui/Button.tsx';
import { useBackCloses } from './ui/back.ts';
import { Icon, type IconName, Mark } from './ui/Icon.tsx';
import { NewDeckButton, useNewDeck } from './ui/NewDeckButton.tsx';
import { ToastArea } from './ui/Toast.tsx';
import { useOnline } from './ui/useOnline.ts';

const Whoami = later(() => import('./Whoami.tsx'), 'Whoami');
const SendingPaused = later(() => import('./ui/SendingSwitch.tsx'), 'SendingPaused');
const ZoneOffer = later(() => import('./ui/ZoneOffer.tsx'), 'ZoneOffer');
const SendingSwitch = later(() => import('./ui/SendingSwitch.tsx'), 'SendingSwitch');
const NewDeck = later(() => import('./screens/NewDeck.tsx'), 'NewDeck');
const Jump = later(() => import('./screens/Jump.tsx'), 'Jump');
const Frozen = later(() => import('./ui/Frozen.tsx'), 'Frozen');

/** The other screens and dialogs are loaded this long after the first one, when its pictures are there. */
const loadPartsMs = 2_000;

type Entry = { to: `/${ScreenName}`; name: ScreenName; icon: IconName };

const entry = (name: ScreenName, icon: IconName = name as IconName): Entry => ({
  to: `/${name}`,
  name,
  icon,
});

const groups = [
  { name: texts.groups.work, entries: [entry('approve'), entry('calendar'), entry('posts')] },
  {
    name: texts.groups.sources,
    entries: [entry('automations'), entry('apps'), entry('accounts'), entry('numbers')],
  },
  { name: texts.groups.build, entries: [entry('keys'), entry('webhooks'), entry('events')] },
  {
    name: texts.groups.workspace,
    entries: [entry('members'), entry('credits'), entry('usage'), entry('audit'), entry('settings')],
  },
] as const;

/** Navigation, the main landmark, and the line that says what just happened. */
export function Layout() {
  const queries = useQueryClient();
  const session = useQuery(sessionQuery);
  // A 401 leads to the sign-in. Any other failure says nothing about the session.
  const isIn = !session.isPending && (session.error as ApiError | null)?.status !== 401;
  const isOnline = useOnline();
  const { pathname } = useRouterState({ select: state => state.location });
  const { new: sheet } = useSearch({ from: '/in' });
  const { canEdit } = useMe();
  const [open, setOpen] = useState<{ is: 'menu' | 'jump'; at: string } | null>(null);
  const shown = open?.at === pathname ? open.is : null;
  const show = (is: 'menu' | 'jump') => setOpen({ is, at: pathname });
  const close = () => setOpen(null);
  const pressKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    if (!document.querySelector('dialog[open]')) show('jump');
  });
  const main = useRef<HTMLElement>(null);
  const lastPath = useRef(pathname);

  useEffect(() => {
    if (isIn) return followChanges(queries);
  }, [isIn, queries]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const load = () => {
      const isBusy = [...document.images].some(({ complete, loading }) => !complete && loading === 'eager');
      if (isBusy) wait();
      else void loadParts().then(keepShell);
    };
    const wait = () => {
      timer = setTimeout(load, loadPartsMs);
    };
    wait();
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => pressKey(event);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  // A screen reader hears the new screen, and Tab goes on from there.
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    setOpen(null);
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="absolute start-2 top-2 z-40 -translate-y-20 rounded-control bg-deep px-4 py-2 text-on-deep focus:translate-y-0"
      >
        {texts.skip}
      </a>
      {shown === 'menu' && (
        <Drawer onClose={close}>
          <Navigation onJump={() => show('jump')} onClose={close} />
        </Drawer>
      )}
      <header className="sticky top-0 hidden h-dvh border-e border-line bg-well/60 lg:block">
        <Navigation onJump={() => show('jump')} />
      </header>
      <main id="main" ref={main} tabIndex={-1} className="min-w-0 max-lg:pb-(--bar)">
        {!isOnline && (
          <p role="status" className="bg-warn-wash px-4 py-2 text-center text-sm font-medium text-warn-ink">
            {texts.common.offline}
          </p>
        )}
        {isIn && (
          <Aside>
            <Frozen />
            <SendingPaused />
            <ZoneOffer />
          </Aside>
        )}
        <Outlet />
      </main>
      {session.data && canEdit && sheet !== undefined && (
        <Aside>
          <NewDeck key={sheet} askedId={sheet} />
        </Aside>
      )}
      <Bar isMenuOpen={shown === 'menu'} onMenu={() => show('menu')} />
      {shown === 'jump' && (
        <Aside>
          <Jump screens={groups.flatMap(({ entries }) => entries)} onClose={close} />
        </Aside>
      )}
      <ToastArea />
    </div>
  );
}

/** The console opens without a connection. A page on plain http, or of the dev server, has no such worker. */
function keepShell(): void {
  if (import.meta.env.PROD) navigator.serviceWorker?.register('/console/sw.js').catch(() => undefined);
  if (globalThis.Notification?.permission === 'granted')
    void import('./push.ts').then(({ renew }) => renew()).catch(() => undefined);
}

/** What the screens can do without: if it cannot be loaded, it is left out. */
function Aside({ children }: { children: ReactNode }) {
  const { pathname } = useRouterState({ select: state => state.location });
  return (
    <CatchBoundary getResetKey={() => pathname} errorComponent={() => null}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  );
}

function Drawer({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useBackCloses(onClose);
  return (
    <dialog
      ref={dialog}
      aria-label={texts.nav.menu}
      onClose={onClose}
      onClick={event => {
        if (event.target === dialog.current) onClose();
      }}
      className="fixed inset-y-0 start-0 end-auto m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-y-auto bg-ground p-0 shadow-lift"
    >
      {children}
    </dialog>
  );
}

type NavigationProps = { onJump: () => void; onClose?: () => void };

function Navigation({ onJump, onClose }: NavigationProps) {
  const { pathname } = useRouterState({ select: state => state.location });
  const { canApprove } = useMe();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector(`a[href$="${pathname}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  return (
    <div className="flex min-h-full flex-col lg:h-full">
      <div className="flex flex-col gap-4 p-4 lg:min-h-0 lg:flex-1 lg:overflow-y-auto lg:pb-2">
        <div className="hidden items-center gap-2.5 px-2 lg:flex">
          <Mark className="size-8" />
          <span className="font-display text-lg font-bold">{texts.product}</span>
        </div>
        <div className="flex gap-2">
          <NewDeckButton size="small" className="flex-1 max-lg:hidden" />
          <Button
            size="small"
            className="max-lg:flex-1 max-lg:!justify-start"
            aria-label={texts.nav.jump}
            title={texts.nav.jumpKeys}
            onClick={onJump}
            icon={<Icon name="find" />}
          >
            <span className="lg:hidden">{texts.nav.jump}</span>
          </Button>
          {onClose && (
            <Button
              tone="quiet"
              size="small"
              aria-label={texts.nav.close}
              onClick={onClose}
              icon={<Icon name="cross" />}
            />
          )}
        </div>
        <nav ref={nav} aria-label={texts.nav.label} className="grid gap-3">
          {groups.map(({ name, entries }) => {
            const links = (
              <ul>
                {entries.map(entry => (
                  <li key={entry.to} className="relative">
                    <ScreenLink
                      {...entry}
                      className="flex min-h-11 items-center gap-3 rounded-control px-2.5 font-medium text-ink lg:pointer-fine:min-h-7.5 hover:bg-line/60 aria-[current=page]:bg-deep aria-[current=page]:text-on-deep dark:aria-[current=page]:bg-line"
                      waitingClass="inset-y-0 end-2.5 my-auto text-sm"
                    />
                  </li>
                ))}
              </ul>
            );
            const look = 'px-2.5 pb-1 text-xs font-semibold text-soft';
            return name === texts.groups.build ? (
              <details key={name} open={entries.some(({ to }) => pathname.startsWith(to))}>
                <summary className={look}>{name}</summary>
                {links}
              </details>
            ) : (
              // The bar of a phone has these.
              <div key={name} className={name === texts.groups.work && canApprove ? 'max-lg:hidden' : ''}>
                <p className={look}>{name}</p>
                {links}
              </div>
            );
          })}
        </nav>
      </div>
      <div className="mt-auto grid gap-1 border-t border-line px-4 py-2">
        <Aside>
          <Whoami />
          <SendingSwitch />
        </Aside>
      </div>
    </div>
  );
}

/** At the lower edge of a phone: what the role uses daily, and the way to everything else. */
function Bar({ isMenuOpen, onMenu }: { isMenuOpen: boolean; onMenu: () => void }) {
  const { canApprove, canEdit } = useMe();
  const openNewDeck = useNewDeck();
  const { pathname } = useRouterState({ select: state => state.location });
  const [approve, ...others] = groups[0].entries;
  const isInMenu = groups.slice(1).some(({ entries }) => entries.some(({ to }) => pathname.startsWith(to)));
  const look =
    'flex h-14 w-full flex-col items-center justify-center gap-0.5 text-xs font-medium text-soft aria-[current]:font-bold aria-[current]:text-ink';
  return (
    <nav
      aria-label={texts.nav.main}
      className="fixed inset-x-0 bottom-0 z-20 h-(--bar) border-t border-line bg-ground lg:hidden"
    >
      <ul className="mx-auto grid max-w-lg auto-cols-fr grid-flow-col">
        {[...(canApprove ? [approve] : []), ...others].map(entry => (
          <li key={entry.to} className="relative">
            <ScreenLink {...entry} className={look} waitingClass="start-1/2 top-1 ms-2 !px-1.5 text-xs" />
          </li>
        ))}
        {canEdit && (
          <li>
            <button type="button" className={look} onClick={() => openNewDeck()}>
              <Icon name="plus" />
              {texts.nav.newDeck}
            </button>
          </li>
        )}
        <li>
          <button
            type="button"
            className={look}
            aria-current={isInMenu || undefined}
            aria-expanded={isMenuOpen}
            aria-haspopup="dialog"
            onClick={onMenu}
          >
            <Icon name="menu" />
            {texts.common.more}
          </button>
        </li>
      </ul>
    </nav>
  );
}

function ScreenLink({
  to,
  name,
  icon,
  className,
  waitingClass,
}: Entry & { className: string; waitingClass: string }) {
  const pending = usePending() ?? 0;
  const waitingId = useId();
  const waits = name === 'approve' && pending > 0;
  const hasNext = useRouterState({ select: ({ location }) => location.pathname === '/to-schedule' });
  return (
    <>
      <Link
        to={to}
        aria-describedby={waits ? waitingId : undefined}
        {...(name === 'approve' && hasNext && { 'aria-current': 'page' })}
        className={className}
      >
        <Icon name={icon} />
        {texts.screens[name]}
      </Link>
      {waits && (
        <span
          className={`pointer-events-none absolute h-fit rounded-full bg-float px-2 font-bold whitespace-nowrap text-on-float tabular-nums ${waitingClass}`}
        >
          <span aria-hidden="true">{pending > 999 ? '999+' : pending}</span>
          <span id={waitingId} className="sr-only">
            {texts.nav.waiting(pending)}
          </span>
        </span>
      )}
    </>
  );
}
