import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';

const words = workTexts.approve;

type Props = { seen: Content; now: Content; onNext: () => void };

/** Why the deck on screen waits for no decision. */
export function Decided({ seen, now, onNext }: Props) {
  const { approval, approvalStatus, changesRequested, status } = now;
  const wasWaiting = seen.status === 'ready' && seen.approvalStatus === 'pending' && !seen.changesRequested;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-card bg-warn-wash p-4 text-warn-ink"
    >
      <div className="grid flex-1 gap-1">
        {wasWaiting && <p>{words.gone}</p>}
        {status !== 'ready' && <p>{status === 'failed' ? words.failed : words.writing}</p>}
        {status === 'failed' && now.notice && <p>{texts.approve.notices[now.notice]}</p>}
        {status === 'ready' && approvalStatus !== 'pending' && (
          <p className="font-semibold">
            {words.decidedBy(
              approvalStatus,
              approval?.by && `${texts.approve.kinds[approval.by.kind]} ${approval.by.name}`,
            )}
          </p>
        )}
        {changesRequested && (
          <>
            <p className="font-semibold">
              {words.changesRequested(
                `${texts.approve.kinds[changesRequested.by.kind]} ${changesRequested.by.name}`,
              )}
            </p>
            <p dir="auto">{changesRequested.reason}</p>
          </>
        )}
        {approvalStatus === 'rejected' && approval?.reason && <p dir="auto">{approval.reason}</p>}
      </div>
      <Button onClick={onNext}>{texts.approve.next}</Button>
    </div>
  );
}
