/** Signed links to the archives of exports. */
import { createHmac, type KeyObject } from 'node:crypto';
import { audienceOfKey } from '@hookline/shared/http';
import { type NamedKey, sameBytes } from '@hookline/shared/kernel';

export type ExportLinks = {
  /** `<publicUrl>/media/exports/<id>?s=<signature>` */
  url(id: string): string;
  isValid(id: string, signature: string): boolean;
};

/** @param ring the signing keys: those of the gateway count, its newest first */
export function createExportLinks(publicUrl: string, ring: readonly NamedKey[]): ExportLinks {
  // Not the keys of one pair of services: the receiver holds them, too.
  const isOwn = ({ id }: NamedKey): boolean =>
    (id === 'gateway' || id.startsWith('gateway.')) && audienceOfKey(id) === null;
  const keys = ring.filter(isOwn).map(({ key }) => key);
  const [own] = keys;
  return {
    url(id) {
      if (!own) throw new Error('a signing key of the gateway is needed');
      return `${publicUrl}/media/exports/${id}?s=${sign(own, id)}`;
    },
    isValid: (id, signature) =>
      keys.some(key => sameBytes(Buffer.from(signature), Buffer.from(sign(key, id)))),
  };
}

/** The same keys sign other things; none of them begins like this. */
function sign(key: KeyObject, id: string): string {
  return createHmac('sha256', key).update(`export\n${id}`).digest('base64url');
}
