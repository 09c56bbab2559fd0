import { ApiError, invalidRequest } from '@hookline/shared/contracts';
import type { IdentityDeps } from '../../identity-deps.ts';
import { ClientDocumentError, ClientDocumentsBusyError } from './documents.ts';
import { isDocumentAddress, isFetchable, readClientDocument } from './metadata.rules.ts';
import { findRegisteredClient } from './queries.ts';
import type { OAuthClient } from './record.ts';

/** The client of an id: a registered one, or one whose document is at the address that the id is. */
export async function findOAuthClient(
  { db, now, clients }: Pick<IdentityDeps, 'db' | 'now' | 'clients'>,
  clientId: string,
  accountId: string,
): Promise<OAuthClient> {
  if (!isDocumentAddress(clientId)) {
    const row = /^client_\w{1,60}$/.test(clientId) ? await findRegisteredClient(db, clientId, now()) : null;
    if (row) return { ...row, isDocument: false };
    throw invalidRequest(
      'client_id must be the id of a registered client or the https address of its document',
    );
  }
  if (!isFetchable(clientId, clients.documentTargets)) {
    throw invalidRequest(
      'client_id must name a public host: private, local and special addresses are refused',
    );
  }
  const read = readClientDocument(clientId, await readDocument(clients.documents, clientId, accountId));
  if ('error' in read) throw invalidRequest(`client_id names a document that is refused: ${read.reason}`);
  return { id: clientId, name: read.name, redirectUris: [...read.redirectUris], isDocument: true };
}

async function readDocument(
  documents: IdentityDeps['clients']['documents'],
  clientId: string,
  accountId: string,
): Promise<string> {
  try {
    return await documents.read(clientId, accountId);
  } catch (error) {
    if (error instanceof ClientDocumentsBusyError) {
      const message = 'Too many client metadata documents are being fetched; try again shortly.';
      throw new ApiError('service_unavailable', message, { retryAfterSeconds: 5, cause: error });
    }
    if (!(error instanceof ClientDocumentError)) throw error;
    throw invalidRequest(`client_id names a document that cannot be read: ${error.message}`);
  }
}
