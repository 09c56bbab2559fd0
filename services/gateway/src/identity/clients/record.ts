export type OAuthClientRow = { id: string; name: string; redirectUris: string[] };

/** A client that asks, registered or described by its document. */
export type OAuthClient = OAuthClientRow & {
  /** Named by the address of a document, whose host therefore vouches for it. */
  isDocument: boolean;
};
