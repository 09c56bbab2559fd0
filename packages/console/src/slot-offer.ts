/** One tap to the next free slot of the account that a deck would go to. */
import { queryOptions } from '@tanstack/react-query';
import { api, newKey } from './api.ts';
import { lastChoices } from './choices.ts';
import { accountsQuery, freeSlotsQuery, queryClient, workspaceQuery } from './queries.ts';
import { shortName } from './rules/account-name.ts';
import { likelyAccount } from './rules/choices.ts';
import { texts } from './texts/shell.ts';
import type { Content, CreateSchedule, One, Schedule } from './types.ts';
import { showProblem, showToast } from './ui/Toast.tsx';
import { dayAndTime } from './zone.ts';

export type SlotOffer = {
  accountId: string;
  at: string;
  label: string;
  /** TikTok wants the privacy of a direct post chosen each time, so only a draft takes a slot at once. */
  isDirect: boolean;
};

/** Null where no account is likely, or it has no free slot. */
export const slotOfferQuery = (appId: string) =>
  queryOptions({
    queryKey: ['schedules', 'offer', appId],
    queryFn: async (): Promise<SlotOffer | null> => {
      const [accounts, { timezone }] = await Promise.all([
        queryClient.fetchQuery(accountsQuery),
        queryClient.fetchQuery(workspaceQuery),
      ]);
      const last = lastChoices();
      const account = likelyAccount(accounts, appId, last);
      if (account === null || account.slots.length === 0) return null;
      const [at] = await queryClient.fetchQuery(freeSlotsQuery(account.id, 1));
      if (at === undefined) return null;
      const label = texts.common.nextSlot(dayAndTime(at, timezone), shortName(account));
      const isDirect = account.canPublish && last.of[account.id]?.mode === 'publish';
      return { accountId: account.id, at, label, isDirect };
    },
    staleTime: 0,
  });

/** From a toast, which is gone once it is pressed. */
export async function scheduleDraft({ id }: Pick<Content, 'id'>, offer: SlotOffer): Promise<void> {
  try {
    const { scheduledFor } = await takeSlot(id, offer, newKey());
    const { timezone } = await queryClient.fetchQuery(workspaceQuery);
    showToast({ text: texts.common.draftAt(dayAndTime(scheduledFor, timezone)) });
  } catch (error) {
    showProblem(error);
  }
  for (const key of ['schedules', 'content']) void queryClient.invalidateQueries({ queryKey: [key] });
}

/** Schedules a deck as a draft, or for the phone, in the first slot that is free by then. */
export async function takeSlot(
  contentId: string,
  { accountId }: Pick<SlotOffer, 'accountId'>,
  key: string,
): Promise<Schedule> {
  const body: CreateSchedule = {
    contentId,
    tiktokAccountId: accountId,
    slot: 'next',
    autoAddMusic: lastChoices().of[accountId]?.hasMusic ?? true,
  };
  return (await api.post<One<Schedule>>('/schedules', body, { key })).data;
}
