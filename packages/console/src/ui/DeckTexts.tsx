import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../queries.ts';
import { slideTexts } from '../rules/deck.ts';
import { texts } from '../texts/shell.ts';
import type { Content } from '../types.ts';

/** Shows what is posted with the slides: caption and hashtags. */
export function DeckCaption({ content: { result, appId, version } }: { content: Content }) {
  const app = useQuery(appsQuery).data?.find(({ id }) => id === appId);
  return (
    <div className="grid gap-2">
      <p dir="auto" className="whitespace-pre-wrap">
        {result?.caption || texts.approve.none}
      </p>
      <p dir="auto" className="font-medium text-go-ink">
        {result?.hashtags.join(' ')}
      </p>
      <p className="text-sm text-soft">
        {[app?.name, texts.approve.version(version)].filter(Boolean).join(' · ')}
      </p>
    </div>
  );
}

/** Lists the words on the slides, folded. */
export function SlideTexts({ content }: { content: Content }) {
  return (
    <details className="rounded-control border border-line bg-sheet px-4 py-2.5 text-sm">
      <summary className="font-semibold">{texts.approve.allTexts}</summary>
      <ol className="grid list-decimal gap-1.5 py-2 ps-5">
        {slideTexts(content).map((text, index) => (
          <li key={`${index + 1}`} dir="auto">
            {text}
          </li>
        ))}
      </ol>
    </details>
  );
}
