import { api } from '../../api.ts';
import { queryClient } from '../../queries.ts';
import { workTexts } from '../../texts/work.ts';
import type { Schedule } from '../../types.ts';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';
import { dayAndTime } from '../../zone.ts';

const words = workTexts.calendar;
export const moveScope = 'calendar';

export type Move = { id: string; at: string };

/** Moves posts one after the other: two answers cannot overtake each other. */
export function useMove(zone: string, on: { onDone?: () => void; onFailed: (error: Error) => void }) {
  return useAction(({ id, at }: Move) => api.patch(`/schedules/${id}`, { scheduledFor: at }), {
    scope: moveScope,
    changes: ['schedules'],
    onDone: (_, { id, at }) => {
      // Until it has been read again.
      queryClient.setQueriesData<Schedule[]>({ queryKey: ['schedules', 'between'] }, found =>
        found?.map(schedule => (schedule.id === id ? { ...schedule, scheduledFor: at } : schedule)),
      );
      showToast({ text: words.moved(dayAndTime(at, zone)) });
      on.onDone?.();
    },
    onFailed: error => {
      void queryClient.invalidateQueries({ queryKey: ['schedules'] });
      on.onFailed(error);
    },
  });
}
