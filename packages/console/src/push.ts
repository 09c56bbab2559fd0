/** Notifications of this browser: one subscription, for as long as the session that made it lives. */
import type { Notifications } from '@hookline/shared/contracts/workspace';
import { api } from './api.ts';
import { readChoice, writeChoice } from './flags.ts';
import { queryClient, sessionQuery } from './queries.ts';
import type { One } from './types.ts';

type Push = Notifications['push'];
const path = '/workspace/notifications/browser';
const userNow = () => queryClient.getQueryData(sessionQuery.queryKey)?.user.id ?? '';

/** False on plain http, and on an iPhone before the console is on the home screen. */
export const canSubscribe = (): boolean => 'PushManager' in window && 'serviceWorker' in navigator;

/** Asks the person where the browser has not yet. @returns null where it may not */
export async function subscribe(publicKey: string): Promise<Push | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const manager = await findManager();
  if (!manager) return null;
  const key = fromBase64url(publicKey);
  const before = await manager.getSubscription();
  // A subscription to another key, of an installation that lost its own, takes no other.
  if (before && toText(before.options.applicationServerKey) !== toText(key)) await before.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (await manager.subscribe(options)).toJSON();
  writeChoice('push-user', userNow());
  return (await api.put<One<Push>>(path, { endpoint, keys })).data;
}

export async function unsubscribe(): Promise<Push> {
  const { data } = await api.delete<One<Push>>(path);
  await forget();
  return data;
}

/** Subscribes the session of a person who signed in again, where the browser still does for them. */
export async function renew(): Promise<void> {
  if (!(await (await findManager())?.getSubscription())) return;
  if (readChoice('push-user') !== userNow()) return forget();
  const { push } = (await api.get<One<Notifications>>('/workspace/notifications')).data;
  if (!push.subscribed) await subscribe(push.publicKey);
}

/** Whoever uses the browser next chooses anew. */
export async function forget(): Promise<void> {
  await (await (await findManager())?.getSubscription())?.unsubscribe();
}

async function findManager(): Promise<PushManager | undefined> {
  return (await navigator.serviceWorker?.getRegistration('/console/'))?.pushManager;
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, character => character.charCodeAt(0));
}

function toText(bytes: ArrayBuffer | Uint8Array<ArrayBuffer> | null): string {
  return bytes === null ? '' : new Uint8Array(bytes).join();
}
