import { texts } from '../texts/shell.ts';
import { Button } from './Button.tsx';
import { ErrorBox } from './ErrorBox.tsx';

type Props = { label: string; action: { error: unknown; isPending: boolean }; onCancel: () => void };

/** The one button of a form that stays open, pressed once something is changed. */
export function Save(given: { busy: boolean; disabled: boolean }) {
  return (
    <Button type="submit" tone="primary" {...given}>
      {texts.common.save}
    </Button>
  );
}

/** The end of a form in a card: why the last try failed, Cancel, and the button that sends it. */
export function FormActions({ label, action, onCancel }: Props) {
  return (
    <>
      {action.error != null && <ErrorBox error={action.error} />}
      <div className="flex flex-wrap gap-2.5">
        <Button onClick={onCancel}>{texts.common.cancel}</Button>
        <Button type="submit" tone="primary" busy={action.isPending}>
          {label}
        </Button>
      </div>
    </>
  );
}
