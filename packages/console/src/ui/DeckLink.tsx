import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = { id: string; dir?: 'auto'; className: string; children: ReactNode };

export function ToDeck({ id, ...rest }: Props) {
  return <Link to="/posts/$contentId" params={{ contentId: id }} {...rest} />;
}

/** The deck's name in a row that is `relative`: the whole row is the link. */
export function DeckLink({ id, name }: { id: string; name: string }) {
  return (
    <ToDeck id={id} dir="auto" className="line-clamp-2 min-h-6 font-semibold after:absolute after:inset-0">
      {name}
    </ToDeck>
  );
}
