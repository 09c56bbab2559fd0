import { ownOrigin } from '../api.ts';
import type { SlideImage } from '../types.ts';

type Props = { images: readonly Pick<SlideImage, 'url' | 'thumbnailUrl'>[] };

/** The first slide of a deck, small, in a row of a list. */
export function Thumbnail({ images: [first] }: Props) {
  return (
    <span className="grid h-20 w-11.25 shrink-0 place-items-center overflow-hidden rounded bg-deep">
      {first && (
        <img
          src={ownOrigin(first.thumbnailUrl ?? first.url)}
          alt=""
          loading="lazy"
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
