import { uncovered } from '@hookline/deck/uncovered';
import { useQuery } from '@tanstack/react-query';
import { accountsQuery, appsQuery } from '../queries.ts';
import { shortName } from '../rules/account-name.ts';
import type { Content } from '../types.ts';

type Props = { content: Content; handle: string | undefined };

/** What TikTok draws over a slide, and a line around what it covers on no phone. */
export function TikTokFrame({ content: { appId, result }, handle }: Props) {
  // Whoever has no session is given the handle.
  const enabled = handle === undefined;
  const accounts = useQuery({ ...accountsQuery, enabled }).data;
  const app = useQuery({ ...appsQuery, enabled }).data?.find(({ id }) => id === appId);
  const account = accounts?.find(found => found.appId === appId) ?? accounts?.[0];
  return (
    <div
      aria-hidden="true"
      className="@container pointer-events-none absolute inset-0 bg-linear-to-t from-black/70 to-transparent to-30% text-white"
    >
      <div className="absolute inset-y-0 end-0 w-1/4 bg-linear-to-l from-black/40 to-transparent rtl:bg-linear-to-r" />
      <svg viewBox="0 0 1080 1920" className="absolute inset-0 fill-none stroke-white drop-shadow">
        <path d={outline} strokeWidth="7" className="stroke-black/50" />
        <path d={outline} strokeWidth="4" strokeDasharray="14 10" />
      </svg>
      <svg viewBox="0 0 24 150" className="absolute end-[4%] bottom-[17%] w-[9%] drop-shadow">
        {icons.map((path, index) => (
          <path key={path} d={path} fill="currentColor" transform={`translate(0 ${index * 40})`} />
        ))}
      </svg>
      <div className="absolute start-[4%] end-[18%] bottom-[6%] grid gap-[1cqw] text-[4cqw] leading-snug drop-shadow">
        <p dir="auto" className="truncate font-bold">
          {handle ?? (account ? shortName(account) : (app?.brand?.handle ?? app?.name))}
        </p>
        <p dir="auto" className="line-clamp-2">
          {[result?.caption, ...(result?.hashtags ?? [])].join(' ')}
        </p>
      </div>
    </div>
  );
}

const { top, buttons, bottom, end } = uncovered;
const outline = `M30 ${top}H1050V${buttons}H${end}V${bottom}H30z`;

/** Like, comment, save and share, each 24 px wide. */
const icons = [
  'M12 21C5 15.500 2 12 2 8.200A5.200 5.200 0 0 1 12 6a5.200 5.200 0 0 1 10 2.200C22 12 19 15.500 12 21z',
  'M12 3C6.500 3 2 6.700 2 11.200c0 3.900 3 7 7 8V23c4-1.500 13-4.500 13-11.800C22 6.700 17.500 3 12 3z',
  'M5 2h14v20l-7-5.500L5 22z',
  'M13 3l10 8.500L13 20v-5C8 15 4 16.500 1 20c.500-6 4-11 12-12z',
];
