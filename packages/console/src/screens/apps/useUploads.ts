import { useState } from 'react';
import { api, newKey } from '../../api.ts';
import { queryClient } from '../../queries.ts';
import type { One, Picture } from '../../types.ts';

type Upload = {
  file: File;
  /** The Idempotency-Key: a repeat after a lost answer adds no second picture. */
  key: string;
  isDone: boolean;
  error: unknown;
};

const isOnItsWay = ({ isDone, error }: Upload) => !isDone && error === null;

/** Pictures on their way to an app, one after the other. One that fails stops no other. */
export function useUploads(
  appId: string,
  { kind, onUploaded }: { kind?: 'slide' | undefined; onUploaded?: ((picture: Picture) => void) | undefined },
) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (key: string, part: Partial<Upload>) =>
    setUploads(now => now.map(upload => (upload.key === key ? { ...upload, ...part } : upload)));
  const send = async (given: readonly Upload[]) => {
    for (const { file, key } of given) {
      const form = new FormData();
      form.set('file', file);
      try {
        const path = `/apps/${appId}/pictures`;
        const { data } = await api.post<One<Picture>>(path, form, { key, query: { kind } });
        change(key, { isDone: true });
        onUploaded?.(data);
      } catch (error) {
        change(key, { error });
      }
      void queryClient.invalidateQueries({ queryKey: ['apps'] });
    }
  };
  const add = (files: readonly File[]) => {
    const added = files.map(file => ({ file, key: newKey(), isDone: false, error: null }));
    // The count begins anew while nothing is on its way.
    setUploads(now => [...(now.some(isOnItsWay) ? now : []), ...added]);
    void send(added);
  };
  const retry = (key: string) => {
    const found = uploads.filter(upload => upload.key === key);
    change(key, { error: null });
    void send(found);
  };
  return { uploads, isBusy: uploads.some(isOnItsWay), add, retry };
}
