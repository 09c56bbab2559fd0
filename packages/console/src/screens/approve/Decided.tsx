import { useMe } from '../../me.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';

const words = workTexts.approve;

type Props = { now: Content; onNext: () => void };

/** Why the deck on screen waits for no decision. */
export function Decided({ now, onNext }: Props) {
  const { approval, approvalStatus, changesRequested, status } = now;
  const { user } = useMe();
  const nameOf = (by: NonNullable<typeof approval>['by']) =>
    by.id === user?.id ? words.you : `${texts.approve.kinds[by.kind]} ${by.name}`.trim();
  return (
    <div
      role="alert"
      className="flex items-center gap-3 rounded-card bg-warn-wash p-3 text-start text-base text-warn-ink"
    >
      <div tabIndex={0} className="grid max-h-[30dvh] flex-1 gap-1 overflow-y-auto">
        {status !== 'ready' && <p>{status === 'failed' ? words.failed : words.writing}</p>}
        {status === 'failed' && now.notice && <p>{texts.approve.notices[now.notice]}</p>}
        {status === 'ready' && approvalStatus !== 'pending' && (
          <p className="font-semibold">{words.decidedBy(approvalStatus, approval && nameOf(approval.by))}</p>
        )}
        {changesRequested && (
          <>
            <p className="font-semibold">{words.changesRequested(nameOf(changesRequested.by))}</p>
            <p dir="auto">{changesRequested.reason}</p>
          </>
        )}
        {approvalStatus === 'rejected' && approval?.reason && <p dir="auto">{approval.reason}</p>}
      </div>
      <Button onClick={onNext}>{texts.approve.next}</Button>
    </div>
  );
}
