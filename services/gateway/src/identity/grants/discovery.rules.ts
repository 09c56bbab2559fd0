import { grantableScopes } from './scopes.rules.ts';

export const wellKnown = {
  resource: '/.well-known/oauth-protected-resource',
  resourceOfMcp: '/.well-known/oauth-protected-resource/mcp',
  server: '/.well-known/oauth-authorization-server',
} as const;

export function resourceOf(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

export function resourceDocument(publicUrl: string) {
  return {
    resource: resourceOf(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: grantableScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Hookline',
    resource_documentation: `${publicUrl}/docs/agents`,
  };
}

export function serverDocument(publicUrl: string) {
  return {
    issuer: publicUrl,
    // A page of the console: the cookie of a session is not sent when another site leads to a page.
    authorization_endpoint: `${publicUrl}/console/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    registration_endpoint: `${publicUrl}/oauth/register`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    scopes_supported: grantableScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${publicUrl}/docs/agents`,
  };
}

export function challengeOf(publicUrl: string, hasToken: boolean): string {
  const parameters = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${publicUrl}${wellKnown.resourceOfMcp}"`,
  ];
  return `Bearer ${parameters.join(', ')}`;
}
