import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

function httpOrigins() {
  const error = 'must be origins with commas, such as https://console.example.com: no path, no *';
  return forms
    .commaList()
    .refine(
      list =>
        list.every(item => /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item),
      { error },
    );
}

function domains() {
  const error = 'must be domains with commas, such as example.com: no @, no *';
  return forms
    .commaList()
    .refine(list => list.every(item => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(item)), { error });
}

function name() {
  return z.string().max(40, 'must have at most 40 characters');
}

/** Settings of the service, in addition to the common ones. */
export const gatewaySettings = {
  ...pickSettings('PUBLIC_URL', 'REDIS_URL', 'LLM_BUDGET_SECONDS'),
  APP_NAME: {
    schema: name(),
    default: 'Hookline',
    about: 'Name over the pages of the sign-in. TikTok expects the name of the TikTok app.',
  },
  PRIVACY_URL: {
    schema: forms.url('https'),
    about: 'Your privacy policy, linked from the pages of the sign-in. TikTok asks for it.',
  },
  TERMS_URL: {
    schema: forms.url('https'),
    about: 'Your terms of service, linked from the pages of the sign-in. TikTok asks for them.',
  },
  TRUSTED_PROXIES: {
    schema: forms.commaList(),
    default: '',
    about: 'Addresses whose `X-Forwarded-For` is trusted; none by default.',
  },
  CORS_ORIGINS: {
    schema: httpOrigins(),
    default: '',
    about:
      'Comma-separated list of the exact origins whose web pages may call the API from a browser; none by default. Cookies are never accepted.',
  },
  GATEWAY_REPLICAS: {
    schema: forms.count(1, 1000),
    default: '1',
    about:
      'Largest number of gateways at once; above 1, REDIS_URL is required. It divides the limits that each gateway counts by itself (sign-ups, failed sign-ins, OAuth clients, requests that wait for an external server) and, while Redis is down, every limit.',
  },
  OIDC_ISSUER: {
    schema: forms.url('https, http'),
    about: 'OIDC issuer at which people sign in. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1),
    about:
      'Client ID of Hookline at the issuer. If set, the console has a button that signs in there. The redirect URI is `PUBLIC_URL` followed by `/console/oidc/callback`.',
  },
  OIDC_CLIENT_SECRET: {
    schema: z.string().min(1),
    about: 'Secret of that client. Required with OIDC_CLIENT_ID.',
    secret: true,
  },
  OIDC_NAME: {
    schema: name(),
    default: 'your organisation',
    about: 'Name of the issuer on the button: "Sign in with <name>".',
  },
  OIDC_EMAIL_DOMAINS: {
    schema: domains(),
    default: '',
    about:
      'Comma-separated list of e-mail domains whose addresses only this issuer assigns. A person who signed up with a verified address in one of them is the same person at the issuer. None by default: nobody is matched by address.',
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invite', 'closed'], { error: 'must be open, invite or closed' }),
    about:
      'Who may sign up without an invitation, with a password or at the OIDC issuer: with `open` everybody, with `invite` and `closed` nobody (they differ in what the refusal suggests). Default: `open` with `npm start`, elsewhere `invite`, or `closed` if OIDC_ISSUER is set. Invitations work with all three.',
  },
  SMTP_URL: {
    schema: forms.url('smtp, smtps'),
    about:
      'SMTP server, `smtps://user:password@host:465`; unset: no mail is written, and an owner is shown the links of invitations.',
    secret: true,
  },
  MAIL_FROM: {
    schema: z
      .string()
      .regex(/^[^\r\n]{0,200}[^@\s<>]+@[^@\s<>]+>?$/, 'must be an address, or Name <address>'),
    about: 'Sender of mails, such as `Hookline <hookline@example.com>`. Required with SMTP_URL.',
  },
  EMAIL_VERIFICATION: {
    schema: z.enum(['off', 'required'], { error: 'must be off or required' }),
    default: 'off',
    about:
      'With `required`, a new user can only sign in until a mailed link has verified the address, so no credits are spent before that. Needs SMTP_URL, except with `npm start`, where without it nobody but the first user can verify theirs.',
  },
  AUDIT_RETENTION_DAYS: {
    schema: forms.count(90, 36_500),
    default: '400',
    about: 'How long rows of the audit log are kept, in days, at least 90.',
  },
  LIMIT_PER_IP: {
    schema: forms.count(1, 1_000_000),
    default: '300',
    about: 'Requests a minute per IP address. The documentation of the API states the default.',
  },
  LIMIT_PER_KEY: {
    schema: forms.count(1, 1_000_000),
    default: '120',
    about: 'Requests a minute per key. The documentation of the API states the default.',
  },
  LIMIT_CONTENT_PER_KEY: {
    schema: forms.count(1, 1_000_000),
    default: '10',
    about: '`POST /content` a minute per key. The documentation of the API states the default.',
  },
  SIGN_UPS_PER_HOUR: {
    schema: forms.count(1, 1_000_000),
    default: '20',
    about:
      'New users per hour and IP address, divided by GATEWAY_REPLICAS: sign-ups, invitations that create a user, and first sign-ins at the OIDC issuer.',
  },
  LIMIT_KEYS: {
    schema: forms.count(1, 1_000_000),
    default: '50',
    about: 'Maximum number of active API keys of an account.',
  },
} as const satisfies SettingTable;
