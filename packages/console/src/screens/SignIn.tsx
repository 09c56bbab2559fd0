import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { api, isApiError } from '../api.ts';
import deck from '../assets/deck.jpg';
import { forgetReads } from '../kept.ts';
import { canUsePasskeys, signInWithPasskey } from '../passkey.ts';
import { sessionQuery, signInOptionsQuery } from '../queries.ts';
import { fieldErrors } from '../rules/field-error.ts';
import { doorTexts } from '../texts/door.ts';
import { texts } from '../texts/shell.ts';
import type { One } from '../types.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Checkbox, Field } from '../ui/Field.tsx';
import { Mark } from '../ui/Icon.tsx';
import { ScriptForm } from '../ui/ScriptForm.tsx';
import { ReadError } from '../ui/Shown.tsx';
import { showToast } from '../ui/Toast.tsx';
import { useAction } from '../ui/useAction.ts';

/** Where the slides are in the picture of a deck. */
const slides = ['object-left', 'object-center', 'object-right'];

/** The page of everything that happens before the sign-in. */
function Doorway({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const options = useQuery(signInOptionsQuery).data;
  const name = options?.appName ?? texts.product;
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  const legal = [
    { href: options?.privacyUrl, label: doorTexts.privacy },
    { href: options?.termsUrl, label: doorTexts.terms },
  ];
  return (
    <div className="grid min-h-dvh max-lg:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <header className="flex items-center gap-3 bg-deep p-5 text-on-deep lg:items-start lg:p-12">
        <Mark className="size-10 lg:size-12" />
        <div className="lg:hidden">
          <p className="font-display text-xl font-bold">{name}</p>
          <p className="text-sm">{doorTexts.signIn.lead}</p>
        </div>
        <div className="hidden h-full flex-col justify-between lg:flex">
          <p className="pt-1 font-display text-2xl font-bold">{name}</p>
          <p className="max-w-md font-display text-[2.5rem] leading-[1.1] font-bold text-balance">
            {doorTexts.signIn.lead}
          </p>
          <div className="flex gap-4">
            {slides.map(place => (
              <img
                key={place}
                src={deck}
                alt=""
                loading="lazy"
                className={`aspect-[9/16] w-[30%] max-w-44 rounded-control object-cover shadow-lift ${place}`}
              />
            ))}
          </div>
        </div>
      </header>
      <main id="main" className="grid content-start px-5 py-10 sm:place-content-center sm:py-16">
        <div className="mx-auto grid w-full max-w-sm gap-6 sm:w-96">
          <div className="grid gap-2">
            <h1 className="text-2xl">{title}</h1>
            {lead && <p className="text-soft">{lead}</p>}
          </div>
          {children}
          <div className="flex flex-wrap gap-x-6 text-sm">
            {legal.map(({ href, label }) =>
              href ? (
                <a key={label} className={linkClass} href={href}>
                  {label}
                </a>
              ) : null,
            )}
          </div>
        </div>
      </main>
    </div>
  );
}

const linkClass =
  'font-medium underline underline-offset-4 inline-flex min-h-6 items-center pointer-coarse:min-h-11';

type FormProps = {
  action: { mutate: () => void; error: Error | null; isPending: boolean };
  submit: string;
  isBusy?: boolean;
  tone?: 'plain' | 'primary';
  children: ReactNode;
};

function Form({ action, submit, isBusy = false, tone = 'primary', children }: FormProps) {
  return (
    <ScriptForm onSubmit={() => action.mutate()}>
      {children}
      <Refusal error={action.error} />
      <Button type="submit" tone={tone} size="large" busy={isBusy || action.isPending}>
        {submit}
      </Button>
    </ScriptForm>
  );
}

/** What the person can mend, in words; the rest with what support asks for. */
function Refusal({ error }: { error: Error | null }) {
  if (!isApiError(error) || error.status === 0 || error.status >= 429)
    return error && <ErrorBox error={error} />;
  const { email, password, name } = doorTexts.signIn;
  const [atField] = Object.values(fieldErrors(error, { email, password, name, token: doorTexts.link }));
  return (
    <p role="alert" className="rounded-control bg-float-wash p-3 font-medium text-float-ink">
      {error.code === 'unauthorized' ? doorTexts.signIn.wrong : (atField ?? error.message)}
    </p>
  );
}

type Input = { value: string; onChange: (value: string) => void };

type TextInputProps = Input & Omit<ComponentProps<typeof Field>, keyof Input> & { invalid?: string };

/** @param invalid what is said at the field in place of the browser's bubble over it */
function TextInput({ onChange, invalid, ...field }: TextInputProps) {
  const [isInvalid, setInvalid] = useState(false);
  return (
    <Field
      {...field}
      error={isInvalid ? invalid : null}
      onInvalid={event => {
        event.preventDefault();
        setInvalid(true);
        const input = event.currentTarget;
        if (input.form?.querySelector(':invalid') === input) input.focus();
      }}
      onValue={value => {
        setInvalid(false);
        onChange(value);
      }}
    />
  );
}

function Email(input: Input) {
  const { email: label, emailInvalid: invalid } = doorTexts.signIn;
  return (
    <TextInput
      {...{ label, invalid }}
      type="email"
      name="email"
      autoComplete="username"
      required
      {...input}
    />
  );
}

function Name(input: Input) {
  return <TextInput label={doorTexts.signIn.name} name="name" autoComplete="name" isOptional {...input} />;
}

function Password({ isNew = false, ...input }: Input & { isNew?: boolean }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <TextInput
        label={doorTexts.signIn.password}
        type={isShown ? 'text' : 'password'}
        name="password"
        required
        autoCapitalize="none"
        spellCheck={false}
        {...(isNew
          ? {
              autoComplete: 'new-password',
              minLength: 10,
              maxLength: 200,
              hint: doorTexts.signUp.passwordHint,
              invalid: doorTexts.signUp.passwordInvalid,
            }
          : { autoComplete: 'current-password', invalid: doorTexts.signIn.passwordInvalid })}
        {...input}
      />
      <Checkbox label={doorTexts.signIn.showPassword} checked={isShown} onCheck={setShown} />
    </>
  );
}

/** Leaves the cached answers of whoever was here before. */
function useEntered() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { history } = useRouter();
  return (next?: string) => {
    forgetReads();
    queries.clear();
    // Only paths of the console: a link must not send a freshly signed-in person elsewhere.
    if (next?.startsWith('/console/')) history.push(next);
    else void navigate({ to: '/approve' });
  };
}

/** Leads to the OIDC issuer, where the gateway has one. @param query of the start of the sign-in */
function IssuerButton({ query }: { query: Readonly<Record<string, string>> }) {
  const options = useQuery(signInOptionsQuery);
  const oidc = options.data?.oidc;
  if (!oidc) return <ReadError queries={[options]} />;
  return (
    <Button size="large" onClick={() => location.assign(`${oidc.url}?${new URLSearchParams(query)}`)}>
      {doorTexts.signIn.issuer(oidc.name)}
    </Button>
  );
}

type Account = { email: string; password: string };

/** @param account whose password is right; null: the passkey tells who signs in */
function PasskeyButton({ account, onDone }: { account: Account | null; onDone: () => void }) {
  const ask = useAction(() => signInWithPasskey(account), { onDone });
  if (!canUsePasskeys()) return null;
  return (
    <>
      {ask.error && <ErrorBox error={ask.error} />}
      <Button
        tone={account ? 'primary' : 'plain'}
        size="large"
        busy={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {account ? doorTexts.passkey.use : doorTexts.passkey.alone}
      </Button>
    </>
  );
}

type SecondFactorProps = { account: Account; onDone: () => void; onBack: () => void };

function SecondFactor({ account, onDone, onBack }: SecondFactorProps) {
  const { title, lead, code: label, useCode, back, codesLeft, newCodes } = doorTexts.passkey;
  const [recoveryCode, setCode] = useState('');
  const { history } = useRouter();
  const signIn = useAction(
    async () => {
      await api.post('/auth/sign-in', { ...account, recoveryCode });
      return await api.get<One<{ recoveryCodes: number }>>('/auth/passkeys').catch(() => null);
    },
    {
      onDone: left => {
        onDone();
        if (left === null) return;
        const onPress = () => history.push('/console/settings#passkeys');
        const text = codesLeft(left.data.recoveryCodes);
        showToast({ text, actions: [{ label: newCodes, onPress }], forMs: null });
      },
    },
  );
  return (
    <Doorway title={title} lead={lead}>
      <PasskeyButton account={account} onDone={onDone} />
      <Form action={signIn} submit={useCode} tone="plain">
        <TextInput
          label={label}
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={40}
          value={recoveryCode}
          onChange={setCode}
        />
      </Form>
      <button type="button" className={`${linkClass} justify-self-start text-sm`} onClick={onBack}>
        {back}
      </button>
    </Doorway>
  );
}

const signInApi = getRouteApi('/sign-in');

export function SignIn() {
  const { next, ended } = signInApi.useSearch();
  const entered = useEntered();
  const isOpen = (useQuery(signInOptionsQuery).data?.signUp ?? 'open') === 'open';
  // The gateway takes no longer one.
  const returnTo = next?.startsWith('/console/') && next.length <= 1_000 ? { returnTo: next } : {};
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isSecond, setSecond] = useState(false);
  const signIn = useAction(() => api.post('/auth/sign-in', { email, password }), {
    onDone: () => entered(next),
    onFailed: error => setSecond(isApiError(error, 'second_factor_required')),
  });
  if (isSecond) {
    return (
      <SecondFactor
        account={{ email, password }}
        onDone={() => entered(next)}
        onBack={() => setSecond(false)}
      />
    );
  }
  return (
    <Doorway title={doorTexts.signIn.title} lead={ended ? doorTexts.signIn.ended : undefined}>
      <Form action={signIn} submit={doorTexts.signIn.submit}>
        <Email value={email} onChange={setEmail} />
        <Password value={password} onChange={setPassword} />
      </Form>
      <PasskeyButton account={null} onDone={() => entered(next)} />
      <IssuerButton query={returnTo} />
      <div className="flex flex-wrap justify-between gap-3 text-sm">
        {isOpen && (
          <Link to="/sign-up" className={linkClass}>
            {doorTexts.signIn.toSignUp}
          </Link>
        )}
        <Link to="/reset-password" className={linkClass}>
          {doorTexts.signIn.forgot}
        </Link>
      </div>
      {location.hostname === 'localhost' && <p className="text-sm text-soft">{doorTexts.signIn.firstRun}</p>}
    </Doorway>
  );
}

export function SignUp() {
  const entered = useEntered();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const signUp = useAction(
    async () => {
      await api.post('/auth/sign-up', { email, password, ...(name.trim() ? { name: name.trim() } : {}) });
      const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
      // Without it times are in UTC, which Settings changes.
      await api.patch('/workspace', { timezone }).catch(() => null);
    },
    { onDone: () => entered() },
  );
  return (
    <Doorway title={doorTexts.signUp.title} lead={doorTexts.signUp.lead}>
      <Form action={signUp} submit={doorTexts.signUp.submit}>
        <Name value={name} onChange={setName} />
        <Email value={email} onChange={setEmail} />
        <Password value={password} onChange={setPassword} isNew />
      </Form>
      <Link to="/sign-in" className={`${linkClass} text-sm`}>
        {doorTexts.signUp.toSignIn}
      </Link>
    </Doorway>
  );
}

const invitationApi = getRouteApi('/invitation');

export function AcceptInvitation() {
  const { token } = invitationApi.useSearch();
  const entered = useEntered();
  const session = useQuery(sessionQuery);
  const user = session.data?.user;
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const accept = useAction(
    () =>
      api.post('/auth/invitations/accept', {
        token,
        ...(user ? {} : { password, ...(name.trim() ? { name: name.trim() } : {}) }),
      }),
    { onDone: () => entered() },
  );
  const { title, lead, signedIn, submit, missing } = doorTexts.invitation;
  if (!token) return <Doorway title={title} lead={missing} children={null} />;
  return (
    <Doorway title={title} lead={user ? signedIn(user.email ?? user.name ?? user.id) : lead}>
      <Form action={accept} submit={submit} isBusy={session.isPending}>
        {!user && (
          <>
            <Name value={name} onChange={setName} />
            <Password value={password} onChange={setPassword} isNew />
          </>
        )}
      </Form>
      {!user && <IssuerButton query={{ invitation: token }} />}
    </Doorway>
  );
}

const resetApi = getRouteApi('/reset-password');

export function ResetPassword() {
  const { token } = resetApi.useSearch();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const ask = useAction(() => api.post('/auth/password-reset', { email }));
  const [revokeKeys, setRevokeKeys] = useState(false);
  const confirm = useAction(() => api.post('/auth/password-reset/confirm', { token, password, revokeKeys }));
  const { title, ask: askLead, send, sent, choose, save, done } = doorTexts.reset;
  const back = (
    <Link to="/sign-in" className={`${linkClass} text-sm`}>
      {doorTexts.signIn.title}
    </Link>
  );
  if (ask.isSuccess || confirm.isSuccess) {
    return (
      <Doorway title={title}>
        <p role="status">{confirm.isSuccess ? done : sent}</p>
        {back}
      </Doorway>
    );
  }
  if (token === undefined) {
    return (
      <Doorway title={title} lead={askLead}>
        <Form action={ask} submit={send}>
          <Email value={email} onChange={setEmail} />
        </Form>
        {back}
      </Doorway>
    );
  }
  return (
    <Doorway title={title} lead={choose}>
      <Form action={confirm} submit={save}>
        <Password value={password} onChange={setPassword} isNew />
        <Checkbox label={doorTexts.reset.revokeKeys} checked={revokeKeys} onCheck={setRevokeKeys} />
      </Form>
    </Doorway>
  );
}

const verifyApi = getRouteApi('/verify-email');

export function VerifyEmail() {
  const { token } = verifyApi.useSearch();
  const entered = useEntered();
  const [password, setPassword] = useState('');
  const verify = useAction(() =>
    api.post('/auth/verify-email', { token, ...(password === '' ? {} : { password }) }),
  );
  const { title, lead, submit, done, go } = doorTexts.verify;
  const { error } = verify;
  // Whoever is not signed in to the account of the link is asked for its password.
  const asksPassword = isApiError(error, 'invalid_request') && error.message.startsWith('password');
  // No other try with the link would do.
  const hasFailed = isApiError(error) && error.status > 0 && error.status < 429 && !asksPassword;
  if (verify.isSuccess) {
    return (
      <Doorway title={title}>
        <p role="status">{done}</p>
        <Button tone="primary" size="large" onClick={() => entered()}>
          {go}
        </Button>
      </Doorway>
    );
  }
  return (
    <Doorway title={title} lead={token ? lead : doorTexts.invitation.missing}>
      {token && !hasFailed ? (
        <Form action={verify} submit={submit}>
          {(asksPassword || password !== '') && <Password value={password} onChange={setPassword} />}
        </Form>
      ) : (
        <Refusal error={error} />
      )}
    </Doorway>
  );
}
