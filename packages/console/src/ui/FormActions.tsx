import type { ReactNode } from 'react';
import { texts } from '../texts/shell.ts';
import { Button, type Tone } from './Button.tsx';
import { Foot } from './Dialog.tsx';
import { ErrorBox } from './ErrorBox.tsx';

type Props = {
  /** Default: Save. */
  label?: string;
  action: { error: unknown; isPending: boolean };
  /** What of the action's error is not said at a field. */
  error?: unknown;
  tone?: Tone;
  disabled?: boolean;
  onCancel?: () => void;
};

/** The end of a form: why the last try failed, Cancel where it closes, and the button that sends it. */
export function FormActions({ action, error = action.error, onCancel, ...rest }: Props) {
  return (
    <>
      {error != null && <ErrorBox error={error} />}
      <div className="flex flex-wrap gap-2.5">
        {onCancel && <Button onClick={onCancel}>{texts.common.cancel}</Button>}
        <Submit action={action} {...rest} />
      </div>
    </>
  );
}

/** The same at the lower edge of a dialog. */
export function FormFoot({ action, onCancel, children, ...rest }: Props & { children?: ReactNode }) {
  return (
    <Foot>
      {action.error != null && (
        <div className="basis-full">
          <ErrorBox error={action.error} />
        </div>
      )}
      {children}
      <Button onClick={onCancel}>{texts.common.cancel}</Button>
      <Submit action={action} {...rest} />
    </Foot>
  );
}

function Submit({ label = texts.common.save, action, tone = 'primary', disabled }: Omit<Props, 'error'>) {
  return (
    <Button type="submit" tone={tone} busy={action.isPending} disabled={disabled}>
      {label}
    </Button>
  );
}
