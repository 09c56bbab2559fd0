import { type ReactNode, useId, useState } from 'react';
import { useMe } from '../../me.ts';
import { fieldErrors } from '../../rules/field-error.ts';
import { manageTexts } from '../../texts/manage.ts';
import { texts } from '../../texts/shell.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Field } from '../../ui/Field.tsx';
import { ScriptForm } from '../../ui/ScriptForm.tsx';

type Props = {
  title: string;
  lead: ReactNode;
  password: { label: string; hint?: string | undefined; isOptional?: boolean };
  submit: { label: string; tone: 'primary' | 'float'; isDisabled?: boolean };
  action: { mutate: (password: string) => void; error: Error | null; isPending: boolean };
  onClose: () => void;
  /** Fields above the password. */
  children?: ReactNode;
};

/** Asks for the password of the person before an action. */
export function PasswordDialog({ title, lead, password, submit, action, onClose, children }: Props) {
  const { user } = useMe();
  const formId = useId();
  const [value, setValue] = useState('');
  const isRequired = !password.isOptional;
  const wrong = fieldErrors(action.error, { password: manageTexts.passkeys.given }).password;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            tone={submit.tone}
            busy={action.isPending}
            disabled={(isRequired && value === '') || submit.isDisabled}
          >
            {submit.label}
          </Button>
        </>
      }
    >
      {lead}
      <ScriptForm id={formId} onSubmit={() => action.mutate(value)}>
        {/* Password managers expect the account's name in the same form. */}
        <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        {children}
        <Field
          label={password.label}
          hint={password.hint}
          error={wrong}
          type="password"
          required={isRequired}
          autoComplete="current-password"
          value={value}
          onValue={setValue}
        />
      </ScriptForm>
      {action.error && !wrong && <ErrorBox error={action.error} />}
    </Dialog>
  );
}
