import { randomBytes } from 'node:crypto';

/** Options for starting the simulators; all but `port` and `dataDir` have a default. */
export type SimulatorsOptions = {
  /** 0 picks any free port. */
  port: number;
  /** Folder for state and pulled images, which survive a kill. */
  dataDir: string;
  /** Port of the SMTP server; absent or 0 picks any free port. */
  smtpPort?: number | undefined;
  host?: string | undefined;
  /** Base of every link that the simulators print or serve. */
  publicUrl?: string | undefined;
  /** Opens `/_control` and `/mail`. Absent: a new one. */
  controlToken?: string | undefined;
  clientKey?: string | undefined;
  clientSecret?: string | undefined;
  /** Scopes that the app was given. Absent: those of an app registered today, for Login Kit and posting. */
  scopes?: string[] | undefined;
  /**
   * Registered redirect URIs (`*` matches any port). Absent: any https URI, and http on localhost with a
   * port.
   */
  redirectUris?: string[] | undefined;
  /** Destination of TikTok's webhooks; may be changed later at `/_control/tiktok/client`. */
  webhookUrl?: string | undefined;
  /** The host that `localhost` in a photo URL resolves to, for simulators in their own container. */
  localhostIs?: string | undefined;
  /** Allows http photo URLs on localhost. */
  allowLocalhostMedia?: boolean | undefined;
  /** Verified properties: a bare domain (https, subdomains included) or a URL prefix. */
  verifiedUrls?: string[] | undefined;
  isAudited?: boolean | undefined;
  oauthErrorStatus?: 200 | 400 | undefined;
  accessTokenSeconds?: number | undefined;
  refreshTokenSeconds?: number | undefined;
  /** Time from accepting a post to the first image request. */
  pullDelayMs?: number | undefined;
  pullTimeoutMs?: number | undefined;
  /** Attempts per image when no HTTP answer arrives at all; an answer is final. */
  pullConnectAttempts?: number | undefined;
  /** Time from the last image pulled to inbox or published. */
  publishDelayMs?: number | undefined;
  /** Time from published to publicly available with an id. */
  moderationDelayMs?: number | undefined;
  /** Wait before the first retry of a webhook; it doubles from there, up to one hour. */
  webhookRetryMs?: number | undefined;
  /** The only accepted YouTube API key. Absent: any key but `invalid`. */
  youtubeApiKey?: string | undefined;
  now?: (() => number) | undefined;
  random?: (() => number) | undefined;
};

export type Settings = {
  host: string;
  port: number;
  dataDir: string;
  publicUrl: string;
  controlToken: string;
  clientKey: string;
  clientSecret: string;
  scopes: string[];
  redirectUris: string[] | null;
  webhookUrl: string | null;
  localhostIs: string;
  allowLocalhostMedia: boolean;
  verifiedUrls: string[];
  isAudited: boolean;
  oauthErrorStatus: 200 | 400;
  accessTokenSeconds: number;
  refreshTokenSeconds: number;
  pullDelayMs: number;
  pullTimeoutMs: number;
  pullConnectAttempts: number;
  publishDelayMs: number;
  moderationDelayMs: number;
  webhookRetryMs: number;
  youtubeApiKey: string | null;
};

export const defaultClientKey = 'simulator-client-key';
export const defaultClientSecret = 'simulator-client-secret';

/**
 * Fills in the defaults. Token lifetimes are those of TikTok's November 2026 documents: 2 hours and 180 days.
 */
export function settingsFrom(options: SimulatorsOptions): Settings {
  return {
    host: options.host ?? '127.0.0.1',
    port: options.port,
    dataDir: options.dataDir,
    publicUrl: (options.publicUrl ?? `http://localhost:${options.port}`).replace(/\/+$/, ''),
    controlToken: options.controlToken || randomBytes(24).toString('base64url'),
    clientKey: options.clientKey ?? defaultClientKey,
    clientSecret: options.clientSecret ?? defaultClientSecret,
    scopes: options.scopes ?? ['user.info.basic', 'video.upload', 'video.publish'],
    redirectUris: options.redirectUris ?? null,
    webhookUrl: options.webhookUrl ?? null,
    localhostIs: options.localhostIs ?? 'localhost',
    allowLocalhostMedia: options.allowLocalhostMedia ?? true,
    verifiedUrls: options.verifiedUrls ?? [],
    isAudited: options.isAudited ?? true,
    oauthErrorStatus: options.oauthErrorStatus ?? 400,
    accessTokenSeconds: options.accessTokenSeconds ?? 7200,
    refreshTokenSeconds: options.refreshTokenSeconds ?? 15_552_000,
    pullDelayMs: options.pullDelayMs ?? 200,
    pullTimeoutMs: options.pullTimeoutMs ?? 30_000,
    pullConnectAttempts: options.pullConnectAttempts ?? 3,
    publishDelayMs: options.publishDelayMs ?? 300,
    moderationDelayMs: options.moderationDelayMs ?? 1000,
    webhookRetryMs: options.webhookRetryMs ?? 1000,
    youtubeApiKey: options.youtubeApiKey ?? null,
  };
}
