import { createHmac, type KeyObject } from 'node:crypto';
import { type NamedKey, sameBytes } from '@hookline/shared/kernel';
import { ownKeys } from '../keys/credential.ts';

export type ExportLinks = {
  url(id: string): string;
  isValid(id: string, signature: string): boolean;
};

export function createExportLinks(publicUrl: string, ring: readonly NamedKey[]): ExportLinks {
  const keys = ownKeys(ring).map(({ key }) => key);
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
