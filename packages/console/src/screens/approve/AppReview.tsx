import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ownOrigin } from '../../api.ts';
import { one, picturesQuery } from '../../queries.ts';
import { currentText } from '../../rules/unreviewed.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { App } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { ReadError } from '../../ui/Shown.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = workTexts.appReview;

/** A decision on a deck ends marks too, so both kinds of news read it again. */
const appQuery = (id: string) =>
  queryOptions({
    queryKey: ['content', 'app', id],
    queryFn: ({ signal }) => one<App>(`/apps/${id}`, undefined, signal),
  });

/** What of the deck's app was changed by somebody who may not approve, and nobody who may has looked at. */
export function AppReview({ appId }: { appId: string }) {
  const app = useQuery(appQuery(appId)).data;
  const items = app?.unreviewed ?? [];
  const hasPictures = items.some(({ item }) => item === 'picture' || item === 'brand.logoImageId');
  const pictures = useQuery({ ...picturesQuery(appId), enabled: hasPictures });
  const [seenIds, setSeen] = useState<ReadonlySet<string>>(new Set());
  const review = useAction(
    (_: undefined, key) =>
      api.post(
        `/apps/${appId}/review`,
        { items: items.map(({ item, pictureId, at }) => ({ item, pictureId, at })) },
        { key },
      ),
    { changes: ['apps', 'content'] },
  );
  if (app === undefined || items.length === 0) return null;
  const pictureOf = ({ item, pictureId }: (typeof items)[number]) =>
    pictureId ?? (item === 'brand.logoImageId' ? app.brand?.logoImageId : null) ?? null;
  const isSeen = items.map(pictureOf).every(id => id === null || seenIds.has(id));
  return (
    <section
      aria-label={words.title}
      className="grid gap-3 rounded-card border border-warn-ink/40 lg:order-last bg-warn-wash p-4 text-sm"
    >
      <h2 className="text-base font-semibold text-warn-ink">{words.title}</h2>
      <p>{words.lead}</p>
      <ul className="grid gap-3">
        {items.map(change => {
          const { item, pictureId, by } = change;
          const shownId = pictureOf(change);
          const picture = pictures.data?.find(({ id }) => id === shownId);
          return (
            <li key={pictureId ?? item} className="flex items-start gap-3">
              {picture && (
                <img
                  src={ownOrigin(picture.url)}
                  alt={words.items[item]}
                  onLoad={() => setSeen(before => new Set([...before, picture.id]))}
                  className="max-h-32 max-w-24 rounded-control border border-line"
                />
              )}
              <div className="min-w-0 flex-1">
                <p className="font-semibold">{words.items[item]}</p>
                {shownId === null && (
                  <p
                    tabIndex={0}
                    dir="auto"
                    className="max-h-40 overflow-y-auto break-words whitespace-pre-line"
                  >
                    {currentText(app, item) || texts.approve.none}
                  </p>
                )}
                <p className="text-soft">{words.by(`${texts.approve.kinds[by.kind]} ${by.name}`.trim())}</p>
              </div>
            </li>
          );
        })}
      </ul>
      <ReadError queries={[pictures]} />
      {review.error && <ErrorBox error={review.error} />}
      <div>
        <Button
          size="small"
          disabled={!isSeen}
          busy={review.isPending}
          onClick={() => review.mutate(undefined)}
        >
          {words.accept(items.length)}
        </Button>
      </div>
    </section>
  );
}
