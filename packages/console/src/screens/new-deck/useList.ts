import { itemsOfList } from '@hookline/sdk';
import { useRef, useState } from 'react';
import { api, newKey } from '../../api.ts';
import { fieldErrors } from '../../rules/field-error.ts';
import { newDeckTexts as words } from '../../texts/new-deck.ts';
import type { BatchOutcome, One } from '../../types.ts';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

/**
 * Makes a deck of each row of a list. The key lasts as long as the sheet: rows that were refused can be corrected
 * where they are, and the others are not made twice.
 * @param onAllTaken called once no row was refused
 */
export function useList(onAllTaken: () => void) {
  const key = useRef(newKey());
  const [isUnreadable, setUnreadable] = useState(false);
  const make = useAction(
    (items: object[]) =>
      api.post<One<{ outcomes: BatchOutcome[] }>>('/content/batch', { items }, { key: key.current }),
    {
      changes: ['content', 'credits'],
      onDone: ({ data: { outcomes } }) => {
        const taken = outcomes.filter(({ job }) => job !== null).length;
        if (taken > 0) showToast({ text: words.listMade(taken) });
        if (taken === outcomes.length) onAllTaken();
      },
    },
  );
  const rows = make.data?.data.outcomes ?? [];
  const refused = rows.flatMap(({ error }, at) => (error ? [words.refusedRow(at + 1, error.message)] : []));
  const ofList = fieldErrors(make.error, { items: words.list }).items;
  return {
    isPending: make.isPending,
    /** Is shown at the field with the list. */
    refusal: isUnreadable ? words.unreadable : (ofList ?? refused.join(' ')),
    problem: ofList === undefined ? make.error : null,
    send(list: string, appId: string, templateId: string) {
      let items: object[] | null = null;
      try {
        items = itemsOfList(list, { appId, ...(templateId !== '' && { templateId }) });
      } catch {}
      setUnreadable(items === null);
      if (items) make.mutate(items);
    },
  };
}
