import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { type Passkey, passkeysQuery } from '../../manage/queries.ts';
import { SecretDialog } from '../../manage/Secret.tsx';
import { addPasskey, canUsePasskeys } from '../../passkey.ts';
import { clientName } from '../../rules/client-name.ts';
import { manageTexts } from '../../texts/manage.ts';
import type { One } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Card } from '../../ui/Screen.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { TimeInZone } from '../../ui/TimeInZone.tsx';
import { useAction } from '../../ui/useAction.ts';
import { PasswordDialog } from './PasswordDialog.tsx';

const words = manageTexts.passkeys;

export function Passkeys() {
  const query = useQuery(passkeysQuery);
  const [asked, setAsked] = useState<Passkey | 'add' | 'codes' | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  return (
    <Card title={words.title}>
      <Shown query={query}>
        {({ offered, passkeys, recoveryCodes }) => (
          <>
            <p className="text-soft">{offered ? words.lead : words.issuer}</p>
            {passkeys.length > 0 && (
              <ul aria-label={words.list} className="grid gap-2">
                {passkeys.map(passkey => (
                  <Row key={passkey.id} passkey={passkey} onRemove={() => setAsked(passkey)} />
                ))}
              </ul>
            )}
            {passkeys.length > 0 && <p className="text-sm text-soft">{words.codesLeft(recoveryCodes)}</p>}
            {offered && !canUsePasskeys() && <p className="text-soft">{words.unable}</p>}
            <div className="flex flex-wrap gap-3">
              {offered && canUsePasskeys() && <Button onClick={() => setAsked('add')}>{words.add}</Button>}
              {passkeys.length > 0 && <Button onClick={() => setAsked('codes')}>{words.codes}</Button>}
            </div>
          </>
        )}
      </Shown>
      {asked && <Confirm asked={asked} onCodes={setCodes} onClose={() => setAsked(null)} />}
      {codes.length > 0 && (
        <SecretDialog
          title={words.codesTitle}
          lead={words.codesLead}
          secret={codes.join('\n')}
          onClose={() => setCodes([])}
        />
      )}
    </Card>
  );
}

function Row({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, createdAt, lastUsedAt } = passkey;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-well p-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-soft">
          {words.added} <TimeInZone at={createdAt} />
          {' · '}
          {lastUsedAt ? (
            <>
              {manageTexts.settings.lastUsed} <TimeInZone at={lastUsedAt} isRelative />
            </>
          ) : (
            words.neverUsed
          )}
        </p>
      </div>
      <Button aria-label={`${words.remove} ${name}`} onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  );
}

type ConfirmProps = {
  asked: Passkey | 'add' | 'codes';
  onCodes: (codes: string[]) => void;
  onClose: () => void;
};

function Confirm({ asked, onCodes, onClose }: ConfirmProps) {
  const [name, setName] = useState(clientName(navigator.userAgent) ?? '');
  const confirm = useAction((password: string) => carryOut(asked, name.trim(), password), {
    changes: ['passkeys', 'audit'],
    onDone: codes => {
      onClose();
      onCodes(codes);
    },
  });
  const { title, body, button } = wordsOf(asked);
  return (
    <PasswordDialog
      title={title}
      lead={<p className="text-soft">{body}</p>}
      password={{ label: words.password }}
      submit={{
        label: button,
        tone: typeof asked === 'string' ? 'primary' : 'float',
        isDisabled: asked === 'add' && name.trim() === '',
      }}
      action={confirm}
      onClose={onClose}
    >
      {asked === 'add' && <Field label={words.name} maxLength={100} value={name} onValue={setName} />}
    </PasswordDialog>
  );
}

/** @returns recovery codes to show */
async function carryOut(asked: ConfirmProps['asked'], name: string, password: string): Promise<string[]> {
  if (asked === 'add') return await addPasskey(name, password);
  if (asked === 'codes') {
    const made = await api.post<One<{ recoveryCodes: string[] }>>('/auth/recovery-codes', { password });
    return made.data.recoveryCodes;
  }
  await api.delete(`/auth/passkeys/${asked.id}`, { password });
  return [];
}

function wordsOf(asked: ConfirmProps['asked']) {
  if (asked === 'add') return { title: words.add, body: words.addBody, button: words.add };
  if (asked === 'codes') return { title: words.codes, body: words.codesBody, button: words.make };
  return { title: words.removeTitle(asked.name), body: words.removeBody, button: words.remove };
}
