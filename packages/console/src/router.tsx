import {
  createRootRoute,
  createRoute,
  createRouter,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { followInto } from './enter-workspace.ts';
import { Layout } from './Layout.tsx';
import { later } from './later.ts';
import { queryClient, queueQuery, sessionQuery } from './queries.ts';
import { Approve } from './screens/Approve.tsx';
import { ScreenError } from './screens/ScreenError.tsx';
import { Loading } from './ui/Progress.tsx';

/** What a list is narrowed by, in the address. */
const textsNamed =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.flatMap(name => (typeof search[name] === 'string' ? [[name, search[name]]] : [])),
    ) as Partial<Record<Name, string>>;

const rootRoute = createRootRoute({
  notFoundComponent: later(() => import('./screens/NotFound.tsx'), 'NotFound'),
});

/** Everything behind the sign-in. */
const layoutRoute = createRoute({
  id: 'in',
  getParentRoute: () => rootRoute,
  /** `new`: the sheet of a new deck is open above the screen, for the app with this id or for any (`deck`). */
  validateSearch: ({ new: sheet }): { new?: string } => (typeof sheet === 'string' ? { new: sheet } : {}),
  component: Layout,
});

type Read<Name extends string> = () => Promise<Record<Name, ComponentType>>;

/** A screen behind the sign-in. */
const screen = <const Path extends string, Name extends string>(path: Path, read: Read<Name>, name: Name) =>
  createRoute({ getParentRoute: () => layoutRoute, path, component: later(read, name) });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/approve', replace: true });
  },
});

const inRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/in/$workspaceId/$',
  loader: ({ params, location }) => followInto(params, location.searchStr),
});

const approveRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/approve',
  /** `deck`: the id of a content to begin with, as in the links of MCP and the CLI. */
  validateSearch: ({ deck }): { deck?: string } => (typeof deck === 'string' ? { deck } : {}),
  // The first picture waits for these, so they are asked for before anything is drawn.
  loader: () => {
    void queryClient.prefetchQuery(sessionQuery);
    void queryClient.prefetchInfiniteQuery(queueQuery);
  },
  // Not lazy: it is what people come for, and one file compresses better than two.
  component: Approve,
});

const postsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/posts',
  validateSearch: textsNamed('state', 'app', 'account', 'q'),
  component: later(() => import('./screens/Posts.tsx'), 'Posts'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/posts/$contentId/schedule',
  /** The time and the account that the form begins with. */
  validateSearch: ({ at, accountId }): { at?: string; accountId?: string } => ({
    ...(typeof at === 'string' && !Number.isNaN(Date.parse(at)) && { at }),
    ...(typeof accountId === 'string' && { accountId }),
  }),
  component: later(() => import('./screens/Schedule.tsx'), 'Schedule'),
});

const auditRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/audit',
  validateSearch: textsNamed('action', 'actorId'),
  component: later(() => import('./screens/Audit.tsx'), 'Audit'),
});

const authorizeRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/authorize',
  /** The parameters of an OAuth authorization request, as the client sent them. */
  validateSearch: (search: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
  component: later(() => import('./screens/Authorize.tsx'), 'Authorize'),
});

/** A page that a mailed link opens. */
const tokenScreen = <const Path extends string, Name extends string>(
  path: Path,
  read: Read<Name>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: textsNamed('token'),
    component: later(read, name),
  });

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  /** `next`: where to go afterwards; `ended`: the session ended while it was used. */
  validateSearch: ({ next, ended }): { next?: string; ended?: boolean } => ({
    ...(typeof next === 'string' ? { next } : {}),
    ...(ended ? { ended: true } : {}),
  }),
  component: later(() => import('./screens/SignIn.tsx'), 'SignIn'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: later(() => import('./screens/SignIn.tsx'), 'SignUp'),
});

const reviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/review',
  component: later(() => import('./screens/Review.tsx'), 'Review'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    indexRoute,
    layoutRoute.addChildren([
      approveRoute,
      screen('/calendar', () => import('./screens/Calendar.tsx'), 'Calendar'),
      postsRoute,
      screen('/posts/$contentId', () => import('./screens/Post.tsx'), 'Post'),
      screen('/posts/$contentId/edit', () => import('./screens/Edit.tsx'), 'Edit'),
      screen('/to-schedule', () => import('./screens/ToSchedule.tsx'), 'ToSchedule'),
      scheduleRoute,
      screen('/due/$scheduleId', () => import('./screens/Due.tsx'), 'Due'),
      screen('/automations', () => import('./screens/Automations.tsx'), 'Automations'),
      screen('/apps', () => import('./screens/Apps.tsx'), 'Apps'),
      screen('/apps/$appId', () => import('./screens/OneApp.tsx'), 'OneApp'),
      screen('/accounts', () => import('./screens/Accounts.tsx'), 'Accounts'),
      screen('/webhooks', () => import('./screens/Webhooks.tsx'), 'Webhooks'),
      screen('/events', () => import('./screens/Events.tsx'), 'Events'),
      screen('/keys', () => import('./screens/Keys.tsx'), 'Keys'),
      screen('/credits', () => import('./screens/Credits.tsx'), 'Credits'),
      screen('/usage', () => import('./screens/Usage.tsx'), 'Usage'),
      screen('/numbers', () => import('./screens/Numbers.tsx'), 'Numbers'),
      screen('/members', () => import('./screens/Members.tsx'), 'Members'),
      auditRoute,
      screen('/settings', () => import('./screens/Settings.tsx'), 'Settings'),
      authorizeRoute,
    ]),
    inRoute,
    signInRoute,
    signUpRoute,
    tokenScreen('/invitation', () => import('./screens/SignIn.tsx'), 'AcceptInvitation'),
    tokenScreen('/reset-password', () => import('./screens/SignIn.tsx'), 'ResetPassword'),
    tokenScreen('/verify-email', () => import('./screens/SignIn.tsx'), 'VerifyEmail'),
    reviewRoute,
  ]),
  basepath: '/console',
  // What is typed for one deck or app is not sent for another.
  defaultRemountDeps: ({ params }) => params,
  // Texts as they are: JSON would change a token or a `state` that looks like a number.
  parseSearch: parseSearchWith(text => text),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: () => <Loading />,
  defaultErrorComponent: ScreenError,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
