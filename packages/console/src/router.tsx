import {
  createRootRoute,
  createRoute,
  createRouter,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
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
  loader: ({ params }) => followInto(params),
});

const approveRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/approve',
  /** `deck`: the id of a content to begin with, as in the links of the API and the CLI. */
  validateSearch: ({ deck }): { deck?: string } => (typeof deck === 'string' ? { deck } : {}),
  // The first picture waits for these, so they are asked for before anything is drawn.
  loader: () => {
    void queryClient.prefetchQuery(sessionQuery);
    void queryClient.prefetchInfiniteQuery(queueQuery);
  },
  // Not lazy: it is what people come for, and one file compresses better than two.
  component: Approve,
});

const calendarRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/calendar',
  component: later(() => import('./screens/Calendar.tsx'), 'Calendar'),
});

const postsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/posts',
  validateSearch: textsNamed('state', 'app', 'account', 'q'),
  component: later(() => import('./screens/Posts.tsx'), 'Posts'),
});

const postRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/posts/$contentId',
  component: later(() => import('./screens/Post.tsx'), 'Post'),
});

const editRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/posts/$contentId/edit',
  component: later(() => import('./screens/Edit.tsx'), 'Edit'),
});

const toScheduleRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/to-schedule',
  component: later(() => import('./screens/ToSchedule.tsx'), 'ToSchedule'),
});

const dueRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/due/$scheduleId',
  component: later(() => import('./screens/Due.tsx'), 'Due'),
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

const automationsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/automations',
  component: later(() => import('./screens/Automations.tsx'), 'Automations'),
});

const appsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/apps',
  component: later(() => import('./screens/Apps.tsx'), 'Apps'),
});

const appRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/apps/$appId',
  component: later(() => import('./screens/OneApp.tsx'), 'OneApp'),
});

const accountsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/accounts',
  component: later(() => import('./screens/Accounts.tsx'), 'Accounts'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/webhooks',
  component: later(() => import('./screens/Webhooks.tsx'), 'Webhooks'),
});

const eventsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/events',
  component: later(() => import('./screens/Events.tsx'), 'Events'),
});

const keysRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/keys',
  component: later(() => import('./screens/Keys.tsx'), 'Keys'),
});

const creditsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/credits',
  component: later(() => import('./screens/Credits.tsx'), 'Credits'),
});

const usageRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/usage',
  component: later(() => import('./screens/Usage.tsx'), 'Usage'),
});

const numbersRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/numbers',
  component: later(() => import('./screens/Numbers.tsx'), 'Numbers'),
});

const membersRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/members',
  component: later(() => import('./screens/Members.tsx'), 'Members'),
});

const auditRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/audit',
  validateSearch: textsNamed('action', 'actorId'),
  component: later(() => import('./screens/Audit.tsx'), 'Audit'),
});

const settingsRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/settings',
  component: later(() => import('./screens/Settings.tsx'), 'Settings'),
});

const authorizeRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/authorize',
  /** The parameters of an OAuth authorization request, as the client sent them. */
  validateSearch: (search: Record<string, unknown>): Record<string, string> =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
  component: later(() => import('./screens/Authorize.tsx'), 'Authorize'),
});

type TokenSearch = { token?: string };
const tokenSearch = ({ token }: Record<string, unknown>): TokenSearch =>
  typeof token === 'string' ? { token } : {};

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

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  validateSearch: tokenSearch,
  component: later(() => import('./screens/SignIn.tsx'), 'AcceptInvitation'),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  validateSearch: tokenSearch,
  component: later(() => import('./screens/SignIn.tsx'), 'ResetPassword'),
});

const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  validateSearch: tokenSearch,
  component: later(() => import('./screens/SignIn.tsx'), 'VerifyEmail'),
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
      calendarRoute,
      postsRoute,
      postRoute,
      editRoute,
      toScheduleRoute,
      scheduleRoute,
      dueRoute,
      automationsRoute,
      appsRoute,
      appRoute,
      accountsRoute,
      webhooksRoute,
      eventsRoute,
      keysRoute,
      creditsRoute,
      usageRoute,
      numbersRoute,
      membersRoute,
      auditRoute,
      settingsRoute,
      authorizeRoute,
    ]),
    inRoute,
    signInRoute,
    signUpRoute,
    invitationRoute,
    resetRoute,
    verifyRoute,
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
