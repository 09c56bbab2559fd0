export type GraphError = {
  status: number;
  code: number;
  message: string;
  subcode?: number;
  isTransient?: boolean;
};

export const objectMissing: GraphError = {
  status: 400,
  code: 100,
  subcode: 33,
  message: 'Object does not exist or cannot be loaded.',
};

export const tokenExpired: GraphError = {
  status: 400,
  code: 190,
  subcode: 463,
  message: 'Error validating access token: Session has expired.',
};

export const tokenRevoked: GraphError = {
  status: 400,
  code: 190,
  subcode: 460,
  message: 'Error validating access token: The session is invalid.',
};

export const tokenUnknown: GraphError = {
  status: 400,
  code: 190,
  message: 'Invalid OAuth access token - Cannot parse access token',
};

export const tooManyCalls: GraphError = {
  status: 403,
  code: 80002,
  message: 'There have been too many calls to this Instagram account.',
};

export const permissionMissing: GraphError = {
  status: 400,
  code: 10,
  message: '(#10) Application does not have permission for this action',
};

/** The error for each fault kind. */
export const faultErrors: Readonly<Record<string, GraphError>> = {
  token_expired: tokenExpired,
  token_revoked: tokenRevoked,
  rate_limited: tooManyCalls,
  app_rate_limited: { status: 403, code: 4, message: '(#4) Application request limit reached' },
  transient: { status: 500, code: 2, message: 'An unexpected error has occurred.', isTransient: true },
  object_missing: objectMissing,
  not_enough_viewers: { status: 400, code: 10, message: 'Not enough viewers for the media to show insights' },
  before_conversion: {
    status: 400,
    code: 100,
    subcode: 2108006,
    message: 'Media posted before business account conversion',
  },
};

export function unknownField(name: string, node: string): GraphError {
  const message = `(#100) Tried accessing nonexisting field (${name}) on node type (${node})`;
  return { status: 400, code: 100, message };
}

export function wrongParameter(name: string): GraphError {
  return { status: 400, code: 100, message: `(#100) Invalid parameter: ${name}` };
}

export function unsupportedMetric(name: string): GraphError {
  const message = `(#100) The Media Insights API does not support the ${name} metric for this media product type.`;
  return { status: 400, code: 100, message };
}
