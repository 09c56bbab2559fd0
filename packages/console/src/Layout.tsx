import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CatchBoundary, Link, Outlet, useRouterState, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { ApiError } from './api.ts';
import { later, loadParts } from './later.ts';
import { followChanges } from './live.ts';
import { useMe } from './me.ts';
import { countsQuery, sessionQuery } from './queries.ts';
import { type ScreenName, texts } from './texts/shell.ts';
import { Button } from './ui/Button.tsx';
import { useBackCloses } from './ui/back.ts';
import { Icon, type IconName, Mark } from './ui/Icon.tsx';
import { NewDeckButton } from './ui/NewDeckButton.tsx';
import { ToastArea } from './ui/Toast.tsx';

const Whoami = later(() => import('./Whoami.tsx'), 'Whoami');
const SendingPaused = later(() => import('./ui/SendingSwitch.tsx'), 'SendingPaused');
const SendingSwitch = later(() => import('./ui/SendingSwitch.tsx'), 'SendingSwitch');
const NewDeck = later(() => import('./screens/NewDeck.tsx'), 'NewDeck');
const Frozen = later(() => import('./ui/Frozen.tsx'), 'Frozen');

/** The other screens and dialogs are loaded this long after the first one, when its pictures are there. */
const loadPartsMs = 2_000;

type Entry = { to: `/${ScreenName}`; name: ScreenName; icon: IconName };

const entry = (name: ScreenName, icon: IconName = name as IconName): Entry => ({
  to: `/${name}`,
  name,
  icon,
});

const groups: readonly { name: string; entries: readonly Entry[] }[] = [
  { name: texts.groups.work, entries: [entry('approve'), entry('calendar'), entry('posts')] },
  {
    name: texts.groups.sources,
    entries: [entry('automations'), entry('apps'), entry('accounts'), entry('numbers')],
  },
  {
    name: texts.groups.build,
    entries: [entry('keys'), entry('webhooks'), entry('events'), entry('credits'), entry('usage')],
  },
  { name: texts.groups.workspace, entries: [entry('members'), entry('audit'), entry('settings')] },
];

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
  const [menuAt, setMenuAt] = useState<string | null>(null);
  const isMenuOpen = menuAt === pathname;
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
      else void loadParts();
    };
    const wait = () => {
      timer = setTimeout(load, loadPartsMs);
    };
    wait();
    return () => clearTimeout(timer);
  }, []);

  // A screen reader hears the new screen, and Tab goes on from there.
  useEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    setMenuAt(null);
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
      <header className="sticky top-0 z-20 flex items-center gap-3 border-b border-line bg-ground/95 px-3 py-1.5 backdrop-blur lg:hidden">
        <Button
          tone="quiet"
          className="!px-2.5"
          aria-expanded={isMenuOpen}
          aria-haspopup="dialog"
          onClick={() => setMenuAt(pathname)}
          icon={<Icon name="menu" />}
        >
          {texts.nav.menu}
        </Button>
        <span className="flex-1" />
        <NewDeckButton size="small" />
        <Mark className="size-7" />
      </header>
      {isMenuOpen && (
        <Drawer onClose={() => setMenuAt(null)}>
          <Navigation />
        </Drawer>
      )}
      <header className="sticky top-0 hidden h-dvh overflow-y-auto border-e border-line bg-well/60 lg:block">
        <Navigation />
      </header>
      <main id="main" ref={main} tabIndex={-1} className="min-w-0">
        {!isOnline && (
          <p role="status" className="bg-warn-wash px-4 py-2 text-center text-sm font-medium text-warn-ink">
            {texts.common.offline}
          </p>
        )}
        {isIn && (
          <Aside>
            <Frozen />
            <SendingPaused />
          </Aside>
        )}
        <Outlet />
      </main>
      {session.data && canEdit && sheet !== undefined && (
        <Aside>
          <NewDeck key={sheet} askedId={sheet} />
        </Aside>
      )}
      <ToastArea className="bottom-[max(6.5rem,calc(env(safe-area-inset-bottom)+6rem))] lg:bottom-6" />
    </div>
  );
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
      <div className="flex justify-end p-2 pb-0">
        <Button tone="quiet" onClick={onClose} icon={<Icon name="cross" />}>
          {texts.nav.close}
        </Button>
      </div>
      {children}
    </dialog>
  );
}

function Navigation() {
  const pending = useQuery(countsQuery).data?.pending ?? 0;
  const waitingId = useId();
  return (
    <div className="flex min-h-full flex-col gap-5 p-4">
      <div className="hidden items-center gap-2.5 px-2 pt-1 lg:flex">
        <Mark className="size-8" />
        <span className="font-display text-lg font-bold">{texts.product}</span>
      </div>
      <div className="hidden lg:grid">
        <NewDeckButton size="small" />
      </div>
      <nav aria-label={texts.nav.label} className="grid gap-4">
        {groups.map(({ name, entries }) => (
          <div key={name}>
            <p className="px-2.5 pb-1 text-xs font-semibold text-soft">{name}</p>
            <ul>
              {entries.map(({ to, name: screen, icon }) => (
                <li key={to} className="relative">
                  <Link
                    to={to}
                    aria-describedby={screen === 'approve' && pending > 0 ? waitingId : undefined}
                    className="flex min-h-10 items-center gap-3 rounded-control px-2.5 font-medium text-ink hover:bg-line/60 aria-[current=page]:bg-deep aria-[current=page]:text-on-deep dark:aria-[current=page]:bg-line"
                  >
                    <Icon name={icon} />
                    {texts.screens[screen]}
                  </Link>
                  {screen === 'approve' && pending > 0 && (
                    <span className="pointer-events-none absolute inset-y-0 end-2.5 my-auto h-fit rounded-full bg-float px-2 text-sm font-bold text-on-float tabular-nums">
                      <span aria-hidden="true">{pending > 999 ? '999+' : pending}</span>
                      <span id={waitingId} className="sr-only">
                        {texts.nav.waiting(pending)}
                      </span>
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Aside>
        <SendingSwitch />
        <Whoami />
      </Aside>
    </div>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    listener => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}
