/** One tap to a free slot of an account that a deck may go to. */
import { queryOptions } from '@tanstack/react-query';
import { api, newKey } from './api.ts';
import { keepChoices, lastChoices } from './choices.ts';
import { accountsQuery, one, queryClient, workspaceQuery } from './queries.ts';
import { shortName } from './rules/account-name.ts';
import { likelyAccounts } from './rules/choices.ts';
import { planMax } from './rules/plan.ts';
import { texts } from './texts/shell.ts';
import type { Account, Content, CreateSchedule, One, Schedule } from './types.ts';
import { showProblem, showToast } from './ui/Toast.tsx';
import { dayAndTime } from './zone.ts';

/** The first free posting slots of an account. */
export const freeSlotsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['schedules', 'slots', accountId],
    queryFn: async ({ signal }) => {
      const path = `/accounts/${accountId}/slots`;
      const slots = await one<{ scheduledFor: string }[]>(path, { count: planMax }, signal);
      return slots.map(({ scheduledFor }) => scheduledFor);
    },
    staleTime: 0,
  });

/** More buttons than these are no help; the form has every account. */
const offersMax = 3;

export type SlotOffer = {
  accountId: string;
  at: string;
  label: string;
  /** TikTok wants the privacy of a direct post chosen each time, so only a draft takes a slot at once. */
  isDirect: boolean;
};

/** The account that decks of the app went to last, else each that may take them and has slots. */
export function offeredAccounts(accounts: readonly Account[], appId: string): Account[] {
  const likely = likelyAccounts(accounts, appId, lastChoices());
  return likely.filter(({ slots }) => slots.length > 0).slice(0, offersMax);
}

export function offerOf(account: Account, at: string, zone: string): SlotOffer {
  return {
    accountId: account.id,
    at,
    label: texts.common.nextSlot(dayAndTime(at, zone), shortName(account)),
    isDirect: account.canPublish && lastChoices().of[account.id]?.mode === 'publish',
  };
}

/** The first free slot of each. */
export const slotOffersQuery = (appId: string) =>
  queryOptions({
    queryKey: ['schedules', 'offer', appId],
    queryFn: async (): Promise<SlotOffer[]> => {
      const [accounts, { timezone }] = await Promise.all([
        queryClient.fetchQuery(accountsQuery),
        queryClient.fetchQuery(workspaceQuery),
      ]);
      const offers = offeredAccounts(accounts, appId).map(async account => {
        const [at] = await queryClient.fetchQuery(freeSlotsQuery(account.id));
        return at === undefined ? [] : [offerOf(account, at, timezone)];
      });
      return (await Promise.all(offers)).flat();
    },
    staleTime: 0,
  });

/** From a toast, which is gone once it is pressed. */
export async function scheduleDraft(content: Content, offer: SlotOffer): Promise<void> {
  try {
    const { scheduledFor, mode } = await takeSlot(content, offer.accountId, newKey());
    const { timezone } = await queryClient.fetchQuery(workspaceQuery);
    showToast({ text: texts.common.scheduledAt(dayAndTime(scheduledFor, timezone), mode) });
  } catch (error) {
    showProblem(error);
  }
  for (const key of ['schedules', 'content']) void queryClient.invalidateQueries({ queryKey: [key] });
}

/** Schedules a deck as a draft, or for the phone. @param at without it, in the first slot that is free by then */
export async function takeSlot(
  { id: contentId, appId }: Pick<Content, 'id' | 'appId'>,
  accountId: string,
  key: string,
  at?: string,
): Promise<Schedule> {
  const body: CreateSchedule = {
    contentId,
    tiktokAccountId: accountId,
    ...(at ? { scheduledFor: at } : { slot: 'next' }),
    autoAddMusic: lastChoices().of[accountId]?.hasMusic ?? true,
  };
  const { data } = await api.post<One<Schedule>>('/schedules', body, { key });
  keepChoices(appId, accountId);
  return data;
}
