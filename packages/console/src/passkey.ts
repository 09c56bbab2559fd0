/** Passkeys of this browser, read and written by its own JSON methods. */
import { api } from './api.ts';
import { doorTexts } from './texts/door.ts';
import type { One } from './types.ts';

/** False on plain http, where the address is a number, and in browsers before 2025. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

type Account = { email: string; password: string };

/** @param account null: the passkey alone, which asks for a PIN or a finger */
export async function signInWithPasskey(account: Account | null): Promise<void> {
  const { data } = await api.post<One<PublicKeyCredentialRequestOptionsJSON>>('/auth/sign-in/challenge');
  const userVerification = account ? 'preferred' : 'required';
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...data, userVerification });
  const { id, response } = await answered<AuthenticationResponseJSON>(
    navigator.credentials.get({ publicKey }),
    data.rpId,
  );
  const { clientDataJSON, authenticatorData, signature } = response;
  await api.post('/auth/sign-in/passkey', {
    ...(account ? { account } : {}),
    ...{ credentialId: id, clientData: clientDataJSON, authenticatorData, signature },
  });
}

/** @returns recovery codes with the first passkey of the person */
export async function addPasskey(name: string, password: string): Promise<string[]> {
  const path = '/auth/passkeys';
  const { data } = await api.post<One<PublicKeyCredentialCreationOptionsJSON>>(`${path}/challenge`, {
    password,
  });
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(data);
  const { response } = await answered<RegistrationResponseJSON>(
    navigator.credentials.create({ publicKey: options }),
    data.rp.id,
  );
  const { clientDataJSON, authenticatorData, publicKey } = response;
  const body = { name, clientData: clientDataJSON, authenticatorData, publicKey };
  return (await api.post<One<{ recoveryCodes: string[] }>>(path, body)).data.recoveryCodes;
}

/**
 * @param host that the passkey is of
 * @throws Error that tells a person who canceled, or has no passkey here, what happened
 */
async function answered<T>(asked: Promise<Credential | null>, host = ''): Promise<T> {
  try {
    return ((await asked) as PublicKeyCredential).toJSON() as T;
  } catch (error) {
    const { none, known, elsewhere } = doorTexts.passkey;
    const causes: Record<string, string> = { InvalidStateError: known, SecurityError: elsewhere(host) };
    throw new Error(causes[(error as Error).name] ?? none, { cause: error });
  }
}
