import { type ReactNode, useEffect, useId, useRef } from 'react';
import { texts } from '../texts/shell.ts';
import { Button, type Tone } from './Button.tsx';
import { useBackCloses } from './back.ts';
import { ErrorBox } from './ErrorBox.tsx';

type Props = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** The buttons of the dialog, the one that acts last. */
  actions?: ReactNode;
  size?: 'narrow' | 'wide';
  /**
   * Ignores Escape, Back and clicks outside: for content that is shown only once, or a form with unsaved input.
   * Default: while its last change left text in a text area.
   */
  byButtonOnly?: boolean;
  /** False where the address says that it is open, or it asks about Back itself. */
  backCloses?: boolean;
};

/**
 * A modal dialog, open as long as it is rendered: a sheet at the lower edge of a phone, a card elsewhere. The
 * native element keeps the focus inside, closes on Escape and returns the focus; Back closes it too.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  size = 'narrow',
  byButtonOnly,
  backCloses = true,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedOn = useRef<EventTarget>(null);
  const hasProse = useRef(false);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const dismiss = () => {
    if (!(byButtonOnly ?? hasProse.current)) onClose();
  };
  useBackCloses(dismiss, backCloses);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault();
        dismiss();
      }}
      // A second Escape in Chrome, and a second "back" on Android, close the element without asking. What is
      // still rendered is shown again.
      onClose={() => {
        dialog.current?.showModal();
        dismiss();
      }}
      onPointerDown={event => {
        pressedOn.current = event.target;
      }}
      onClick={event => {
        // A selection that begins inside and ends outside is a click on the dialog too.
        if (event.target === dialog.current && pressedOn.current === dialog.current) dismiss();
      }}
      onKeyDown={event => event.stopPropagation()}
      onInput={({ target }) => {
        if (target instanceof HTMLTextAreaElement) hasProse.current = target.value !== '';
      }}
      className={`fixed inset-x-0 bottom-0 top-auto m-0 mx-auto max-h-[92dvh] w-full max-w-full overflow-y-auto rounded-t-card bg-sheet p-0 shadow-lift sm:inset-0 sm:m-auto sm:h-fit sm:rounded-card ${size === 'wide' ? 'sm:max-w-3xl' : 'sm:max-w-lg'}`}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
        <h2 id={titleId} className="text-xl">
          {title}
        </h2>
        {children}
        {actions && <Foot>{actions}</Foot>}
      </div>
    </dialog>
  );
}

/** The lower edge of a dialog: it stays in sight while what is above scrolls. */
export function Foot({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-3 border-t border-line bg-sheet px-5 pt-3 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
      {children}
    </div>
  );
}

type ConfirmProps = {
  title: string;
  children: ReactNode;
  confirm: string;
  tone?: Tone;
  /** What is confirmed. */
  action?: { isPending: boolean; error: unknown };
  /** False as long as what the dialog asks for is missing. */
  isReady?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  backCloses?: boolean;
};

/** Asks once before something that cannot be undone. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  tone = 'float',
  action,
  isReady = true,
  onConfirm,
  onClose,
  backCloses = true,
}: ConfirmProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      backCloses={backCloses}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button tone={tone} busy={action?.isPending ?? false} disabled={!isReady} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="text-soft">{children}</div>
      {action?.error ? <ErrorBox error={action.error} /> : null}
    </Dialog>
  );
}
