import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ownOrigin } from '../../api.ts';
import { useMe } from '../../me.ts';
import { accountsQuery, appsQuery } from '../../queries.ts';
import { shortName } from '../../rules/account-name.ts';
import type { Stage } from '../../rules/next-step.ts';
import { workTexts } from '../../texts/work.ts';
import { DeckLink } from '../../ui/DeckLink.tsx';
import { StageBadge } from '../../ui/StageBadge.tsx';
import { inZone, TimeInZone } from '../../ui/TimeInZone.tsx';
import { resultsQuery } from '../numbers/Results.tsx';

const words = workTexts.posts;

type Props = {
  id: string;
  name: string;
  cover: string | null | undefined;
  stage: Stage['is'] | undefined;
  at: string;
  appId?: string;
  accountId: string | undefined;
  facts?: readonly (string | false)[];
  why: string | undefined;
  children?: ReactNode;
};

/** A deck by its cover, with where it is and what it brought. */
export function DeckCard({ id, name, cover, stage, at, appId, accountId, facts = [], why, children }: Props) {
  const { canEdit } = useMe();
  const apps = useQuery(appsQuery).data ?? [];
  const account = useQuery(accountsQuery).data?.find(found => found.id === accountId);
  const results = useQuery({ ...resultsQuery(id), enabled: stage === 'published' }).data;
  const told = [
    results && workTexts.results.viewsOf(results.views),
    account && shortName(account),
    apps.length > 1 && apps.find(found => found.id === appId)?.name,
    ...facts,
  ].filter(Boolean);
  return (
    <div className="relative grid h-full content-start overflow-hidden rounded-card border border-line bg-sheet hover:border-edge">
      {cover ? (
        <img
          src={ownOrigin(cover)}
          alt=""
          loading="lazy"
          className="aspect-[3/4] w-full border-b border-line bg-well object-cover"
        />
      ) : (
        <span
          className={`grid aspect-[3/4] place-items-center border-b border-line p-3 text-sm ${why ? 'bg-float-wash text-float-ink' : 'bg-well text-soft'}`}
        >
          <span className="line-clamp-6">{why ? inZone(why) : words.noSlides}</span>
        </span>
      )}
      <div className="grid justify-items-start gap-1 p-3 text-sm">
        {stage && <StageBadge stage={stage} />}
        <DeckLink id={id} name={name} />
        <p className="text-soft">
          {(stage && words.when[stage]) ?? words.made} <TimeInZone at={at} />
        </p>
        {results === null && canEdit && (
          <Link
            to="/posts/$contentId"
            params={{ contentId: id }}
            hash="numbers"
            className="relative z-10 content-center font-semibold underline underline-offset-4 pointer-coarse:min-h-11"
          >
            {workTexts.results.enter}
          </Link>
        )}
        {told.length > 0 && <p className="text-soft">{told.join(' · ')}</p>}
        {cover && why && <p className="line-clamp-3 text-float-ink">{inZone(why)}</p>}
      </div>
      {children}
    </div>
  );
}
