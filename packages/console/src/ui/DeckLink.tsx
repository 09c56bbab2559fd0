import { Link } from '@tanstack/react-router';

/** The deck's name in a row that is `relative`: the whole row is the link. */
export function DeckLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      to="/posts/$contentId"
      params={{ contentId: id }}
      dir="auto"
      className="line-clamp-2 min-h-6 font-semibold after:absolute after:inset-0"
    >
      {name}
    </Link>
  );
}
