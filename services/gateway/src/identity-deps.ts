import type { ServiceRuntime } from '@hookline/shared/service';
import type { FastifyRequest } from 'fastify';
import type { AfterAnswer } from './identity/audit/after-answer.ts';
import type { ClientDocuments } from './identity/clients/documents.ts';
import type { Downloads } from './identity/export/downloads.ts';
import type { ExportLinks } from './identity/export/links.ts';
import type { KeyCopies } from './identity/keys/record.ts';
import type { KeyUse } from './identity/keys/use.ts';
import type { Mailer } from './identity/mail/mailer.ts';
import type { OidcCookies } from './identity/oidc/cookie.ts';
import type { OidcSignIn } from './identity/oidc/issuer.ts';
import type { Challenges } from './identity/passkeys/challenge.ts';
import type { Passwords } from './identity/passwords/hasher.ts';
import type { PushSender } from './identity/push/sender.ts';
import type { Vapid } from './identity/push/vapid.ts';
import type { gatewaySettings } from './settings.ts';

export type GatewayRuntime = ServiceRuntime<typeof gatewaySettings>;

export type PerAddress = {
  /** @throws ApiError `rate_limited`; then nothing is counted */
  count(address: string): void;
  /** Counts nothing. @throws ApiError `rate_limited` when the window of the address is full */
  refuseWhenFull(address: string): void;
};

export type CommonDeps = Pick<GatewayRuntime, 'db' | 'log' | 'now' | 'clockIsSteady' | 'peers'> & {
  publicUrl: string;
  clientAddress: (request: FastifyRequest) => string;
};

export type IdentityDeps = CommonDeps & {
  /** What strangers are told of this installation. */
  imprint: { appName: string; privacyUrl: string | null; termsUrl: string | null };
  admissions: KeyCopies;
  keysMax: number;
  uses: { keys: KeyUse; sessions: KeyUse };
  passwords: Passwords;
  /** `openTo` says who may sign up without an invitation; sign-ups are counted per address and hour. */
  signUps: PerAddress & { openTo: 'open' | 'invite' | 'closed' };
  /** Wrong passwords from an address that never signed in to the e-mail address. */
  failedSignIns: PerAddress;
  afterAnswer: AfterAnswer;
  /** Is null without an SMTP server: links are shown to owners only. */
  mailer: Mailer | null;
  push: {
    vapid: Vapid;
    sender: PushSender;
    /** `host:port` that the address filter lets through for push services; tests only. */
    targets: ReadonlySet<string>;
  };
  /** Whoever signs up opens nothing but `/auth/*` before the address is proven. */
  requiresVerification: boolean;
  auditDays: number;
  /** Tells the streams of browsers what changed in a workspace. */
  changes: {
    add(change: {
      accountId: string;
      kind: 'member' | 'automation' | 'webhook' | 'schedule';
      resourceId: string;
    }): void;
  };
  oidc: {
    /** Is null unless Hookline is a client of an OIDC issuer: nobody signs in by redirect. */
    signIn: OidcSignIn | null;
    /** Domains whose addresses the issuer alone gives out, in lower case. */
    emailDomains: readonly string[];
    cookies: OidcCookies;
    /** Starts and callbacks a minute: each may cost a request at the issuer. */
    requests: PerAddress;
  };
  passkeys: {
    challenges: Challenges;
    /** The name and the origin that passkeys are bound to, of the public URL. */
    rpId: string;
    origin: string;
    /** Changes an hour by the id of the person: each sends a mail. */
    changes: PerAddress;
  };
  exports: { links: ExportLinks; downloads: Downloads };
  /** The OAuth clients of `POST /mcp`. */
  clients: {
    documents: ClientDocuments;
    /** `host:port` that the address filter lets through for documents; tests only. */
    documentTargets: ReadonlySet<string>;
    registrations: PerAddress;
  };
};
