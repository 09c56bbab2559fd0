export type OAuthClientRow = { id: string; name: string; redirectUris: string[] };

export type OAuthClient = OAuthClientRow & {
  /** Named by the address of a document, whose host therefore vouches for it. */
  isDocument: boolean;
};
