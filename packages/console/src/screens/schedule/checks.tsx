/** What the server says about a schedule before it is made. */
import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, type Query } from '../../api.ts';
import { read } from '../../queries.ts';
import { workTexts } from '../../texts/work.ts';
import type { CreateSchedule, PostProblem, Schedule } from '../../types.ts';
import { inZone } from '../../ui/TimeInZone.tsx';

const words = workTexts.schedule;
const checkAfterMs = 500;

/** What would keep a deck from being posted to an account, each with its slide. */
export const preflightQuery = (id: string, given: Query) =>
  read<{ problems: PostProblem[] }>(['content', 'preflight', id, given], `/content/${id}/preflight`, given);

/** What waits to go out of a deck. */
export const waitingQuery = (contentId: string) =>
  queryOptions({
    ...read<Schedule[]>(['schedules', 'waiting', contentId], '/schedules', {
      ...{ contentId, status: 'pending', limit: 1 },
    }),
    select: ([first]) => first,
  });

export function Problems({ problems }: { problems: readonly PostProblem[] }) {
  return (
    <div role="alert" className="grid gap-2 rounded-control border border-float/50 bg-float-wash p-4">
      <p className="font-semibold text-float-ink">{words.problems}</p>
      <ul className="grid gap-2">
        {problems.map(({ code, slide, message }) => (
          <li key={`${code} ${slide}`} className="flex gap-3">
            <span className="shrink-0 font-semibold">
              {slide === null ? words.problemDeck : words.problemSlide(slide)}
            </span>
            <span>{inZone(message)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function dryRun(given: CreateSchedule, signal?: AbortSignal): Promise<unknown> {
  return api.post('/schedules', given, { query: { dryRun: true }, signal });
}

/** Every check of the request that would be sent, a moment after the last change. */
export function useDryRun(body: CreateSchedule | null): {
  isChecking: boolean;
  isReady: boolean;
  error: unknown;
  again: () => void;
} {
  const [round, setRound] = useState(0);
  const [state, setState] = useState({ isChecking: false, isReady: false, error: null as unknown });
  const text = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    setState({ isChecking: text !== null, isReady: false, error: null });
    if (text === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      dryRun(JSON.parse(text), abort.signal).then(
        () => setState({ isChecking: false, isReady: true, error: null }),
        error => abort.signal.aborted || setState({ isChecking: false, isReady: false, error }),
      );
    }, checkAfterMs);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [text, round]);
  return { ...state, again: () => setRound(before => before + 1) };
}
