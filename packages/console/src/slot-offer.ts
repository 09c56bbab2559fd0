/** One tap to the next free slot of an account that a deck may go to. */
import { queryOptions } from '@tanstack/react-query';
import { api, newKey } from './api.ts';
import { keepChoices, lastChoices } from './choices.ts';
import { accountsQuery, freeSlotsQuery, queryClient, workspaceQuery } from './queries.ts';
import { shortName } from './rules/account-name.ts';
import { likelyAccounts } from './rules/choices.ts';
import { texts } from './texts/shell.ts';
import type { Content, CreateSchedule, One, Schedule } from './types.ts';
import { showProblem, showToast } from './ui/Toast.tsx';
import { dayAndTime } from './zone.ts';

/** More buttons than these are no help; the form has every account. */
const offersMax = 3;

export type SlotOffer = {
  accountId: string;
  at: string;
  label: string;
  /** TikTok wants the privacy of a direct post chosen each time, so only a draft takes a slot at once. */
  isDirect: boolean;
};

/** Offers the account that decks of the app went to last, else each that may take them and has a free slot. */
export const slotOffersQuery = (appId: string) =>
  queryOptions({
    queryKey: ['schedules', 'offer', appId],
    queryFn: async (): Promise<SlotOffer[]> => {
      const [accounts, { timezone }] = await Promise.all([
        queryClient.fetchQuery(accountsQuery),
        queryClient.fetchQuery(workspaceQuery),
      ]);
      const last = lastChoices();
      const likely = likelyAccounts(accounts, appId, last).filter(({ slots }) => slots.length > 0);
      const offers = likely.slice(0, offersMax).map(async account => {
        const free = await queryClient.fetchQuery(freeSlotsQuery(account.id, 1));
        const isDirect = account.canPublish && last.of[account.id]?.mode === 'publish';
        return free.map(at => ({
          accountId: account.id,
          at,
          label: texts.common.nextSlot(dayAndTime(at, timezone), shortName(account)),
          isDirect,
        }));
      });
      return (await Promise.all(offers)).flat();
    },
    staleTime: 0,
  });

/** From a toast, which is gone once it is pressed. */
export async function scheduleDraft(content: Content, offer: SlotOffer): Promise<void> {
  try {
    const { scheduledFor } = await takeSlot(content, offer, newKey());
    const { timezone } = await queryClient.fetchQuery(workspaceQuery);
    showToast({ text: texts.common.draftAt(dayAndTime(scheduledFor, timezone)) });
  } catch (error) {
    showProblem(error);
  }
  for (const key of ['schedules', 'content']) void queryClient.invalidateQueries({ queryKey: [key] });
}

/** Schedules a deck as a draft, or for the phone, in the first slot that is free by then. */
export async function takeSlot(
  { id: contentId, appId }: Pick<Content, 'id' | 'appId'>,
  { accountId }: Pick<SlotOffer, 'accountId'>,
  key: string,
): Promise<Schedule> {
  const body: CreateSchedule = {
    contentId,
    tiktokAccountId: accountId,
    slot: 'next',
    autoAddMusic: lastChoices().of[accountId]?.hasMusic ?? true,
  };
  const { data } = await api.post<One<Schedule>>('/schedules', body, { key });
  keepChoices(appId, accountId);
  return data;
}
