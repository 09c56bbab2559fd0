import { decks } from './shell.ts';

export const planTexts = {
  open: (count: number) => `Plan ${decks(count)}`,
  title: (count: number) => `Plan ${decks(count)}`,
  lead: 'Each goes out as a draft that you finish in TikTok, or on the phone of a phone account.',
  accountsFor: (app: string) => `Accounts for ${app}`,
  notChosen: 'Its account is not chosen yet.',
  noSlots: 'No account of its app has posting times.',
  noTime: 'No free posting time is left.',
  noAccount: 'No account is left for it: each takes one copy of a compared deck.',
  confirm: (count: number) => `Schedule ${decks(count)}`,
  running: (done: number, total: number) => `${done} of ${total} scheduled`,
  toCalendar: 'See the calendar',
  done: (count: number) => `${decks(count)} scheduled`,
  select: (name: string) => `Select “${name}”`,
  timeOf: (name: string) => `Time of “${name}”`,
  leaveOut: (name: string) => `Leave out “${name}”`,
} as const;
