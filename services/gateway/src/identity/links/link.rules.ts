import { dayMs, hourMs } from '@hookline/shared/kernel/durations';

export type LinkKind = 'invitation' | 'password_reset' | 'email_verification';

export const linkLifetimeMs: Readonly<Record<LinkKind, number>> = {
  invitation: 7 * dayMs,
  password_reset: hourMs,
  email_verification: 3 * dayMs,
};

/** The pages of the console that take a token. */
const pages: Readonly<Record<LinkKind, string>> = {
  invitation: 'invitation',
  password_reset: 'reset-password',
  email_verification: 'verify-email',
};

/** `link_` and 43 characters. @param random 32 bytes */
export function makeLinkToken(random: Buffer): string {
  return `link_${random.toString('base64url')}`;
}

export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/console/${pages[kind]}?token=${token}`;
}
