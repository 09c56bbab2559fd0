import { changesBetween } from '../../rules/deck.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

type Props = { before: Content; after: Content; onAccept: () => void; isDialog?: boolean };

/**
 * What changed between the version on screen and the current one; nothing is decided
 * until that one was looked at.
 */
export function Difference({ before, after, onAccept, isDialog = false }: Props) {
  const words = workTexts.approve;
  const isSameVersion = before.version === after.version;
  const lead = isSameVersion
    ? words.decided(after.approvalStatus)
    : words.changedLead(before.version, after.version);
  const body = (
    <>
      <p>{lead}</p>
      <dl className="grid gap-3">
        {changesBetween(before, after).map(change => (
          <div key={`${change.field} ${change.slide}`} className="grid gap-1">
            <dt className="text-sm font-semibold">
              {words.fields[change.field]}
              {change.field === 'slide' || change.field === 'look' ? ` ${change.slide}` : ''}
            </dt>
            {change.field === 'look' ? (
              <dd>{words.lookAtIt}</dd>
            ) : (
              <>
                <dd className="rounded-control bg-float-wash px-3 py-2">
                  <span className="block text-xs font-semibold text-float-ink">{words.before}</span>
                  <del dir="auto" className="no-underline">
                    {change.before ?? words.nothing}
                  </del>
                </dd>
                <dd className="rounded-control bg-go-wash px-3 py-2">
                  <span className="block text-xs font-semibold text-go-ink">{words.after}</span>
                  <ins dir="auto" className="no-underline">
                    {change.after ?? words.nothing}
                  </ins>
                </dd>
              </>
            )}
          </div>
        ))}
      </dl>
    </>
  );
  const accept = (
    <Button tone="primary" onClick={onAccept}>
      {isSameVersion ? texts.common.close : words.lookAgain(after.version)}
    </Button>
  );
  if (isDialog) {
    return (
      <Dialog title={words.changedTitle} onClose={onAccept} actions={accept} size="wide">
        {body}
      </Dialog>
    );
  }
  return (
    <div role="alert" className="grid gap-3 rounded-card border-2 border-float bg-sheet p-4">
      <h2 className="text-lg">{words.changedTitle}</h2>
      {body}
      <div>{accept}</div>
    </div>
  );
}
