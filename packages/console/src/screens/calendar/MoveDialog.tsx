import { useEffect, useRef, useState } from 'react';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Schedule } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { ToDeck } from '../../ui/DeckLink.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { LocalTime } from '../../ui/LocalTime.tsx';
import { showProblem } from '../../ui/Toast.tsx';
import { fromLocal, toLocal } from '../../zone.ts';
import { useMove } from './useMove.ts';

const words = workTexts.calendar;

type MoveProps = {
  schedule: Schedule;
  zone: string;
  onMoved: () => void;
  onClose: () => void;
};

/** The way to another time without dragging. */
export function MoveDialog({ schedule, zone, onMoved, onClose }: MoveProps) {
  const [local, setLocal] = useState(toLocal(schedule.scheduledFor, zone));
  const at = fromLocal(local, zone, schedule.scheduledFor);
  const isPast = at !== null && Date.parse(at) < Date.now();
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const move = useMove(zone, {
    onDone: () => isOpen.current && onMoved(),
    // An open dialog shows its own.
    onFailed: error => !isOpen.current && showProblem(error),
  });
  return (
    <Dialog
      title={words.moveTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            tone="primary"
            disabled={at === null || isPast}
            busy={move.isPending}
            onClick={() => at !== null && move.mutate({ id: schedule.id, at })}
          >
            {texts.common.save}
          </Button>
        </>
      }
    >
      <p dir="auto" className="font-semibold">
        {schedule.title}
      </p>
      <LocalTime
        label={words.day}
        hint={texts.common.timesIn(zone)}
        error={isPast ? words.past : null}
        value={local}
        onChange={setLocal}
      />
      <ToDeck id={schedule.contentId} className="font-semibold underline underline-offset-4">
        {words.open}
      </ToDeck>
      {move.error && <ErrorBox error={move.error} />}
    </Dialog>
  );
}
