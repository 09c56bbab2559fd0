import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { type ApiError, isApiError, newKey } from '../api.ts';
import { queryClient } from '../queries.ts';

type Options<Given, Answer> = {
  /** Beginnings of query keys that are read again afterwards. */
  changes?: readonly string[];
  onDone?: (answer: Answer, given: Given) => void;
  onFailed?: (error: Error, given: Given) => void;
  /** Writes of one scope are sent one after the other. */
  scope?: string;
};

/**
 * A write. Its Idempotency-Key lasts until it is carried out or refused: pressing the button again after a
 * lost connection repeats the same request, so that nothing is made twice.
 * @param send passes `key` to `api.post`
 */
export function useAction<Given = void, Answer = unknown>(
  send: (given: Given, key: string) => Promise<Answer>,
  { changes = [], onDone, onFailed, scope }: Options<Given, Answer> = {},
) {
  const open = useRef<{ given: string; key: string } | null>(null);
  return useMutation<Answer, Error, Given>({
    ...(scope === undefined ? {} : { scope: { id: scope } }),
    mutationFn: given => {
      const text = JSON.stringify(given) ?? '';
      if (open.current?.given !== text) open.current = { given: text, key: newKey() };
      return send(given, open.current.key);
    },
    onSuccess: (answer, given) => {
      open.current = null;
      for (const key of changes) void queryClient.invalidateQueries({ queryKey: [key] });
      onDone?.(answer, given);
    },
    onError: (error, given) => {
      // A refusal carried nothing out; the next try is a new request. One that says when to come back (429,
      // or 409 while the first request still runs) says nothing about an earlier request under this key.
      if (isApiError(error) && isRefusal(error)) open.current = null;
      onFailed?.(error, given);
    },
  });
}

function isRefusal({ status, retryAfterMs }: ApiError): boolean {
  return status >= 400 && status < 500 && retryAfterMs === null;
}
