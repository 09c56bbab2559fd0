import { randomBytes } from 'node:crypto';
import { roles, scopes } from '@hookline/shared/contracts/scopes';
import { describe, expect, it } from 'vitest';
import {
  isDocumentAddress,
  isFetchable,
  readClientDocument,
  readRegistration,
} from '../clients/metadata.rules.ts';
import { isRedirectUri, isRegisteredRedirect, placeOf } from '../clients/redirect-uri.rules.ts';
import { backToClient, refusalOfAuthorization } from './authorization.rules.ts';
import { offeredScopes } from './scopes.rules.ts';
import {
  isAccessToken,
  makeAccessToken,
  makeRefreshToken,
  partsOfRefreshToken,
  provesChallenge,
} from './tokens.rules.ts';

describe('a redirect address', () => {
  it.each([
    ['https://claude.ai/api/mcp/auth_callback', 'claude.ai'],
    ['https://vscode.dev:8443/redirect', 'vscode.dev:8443'],
    ['http://127.0.0.1:33418/callback', 'this computer'],
    ['http://[::1]/', 'this computer'],
    ['http://localhost:3000/cb?x=1', 'this computer'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor'],
    ['com.example.app:/callback', 'com.example.app'],
  ])('%s leads to %s', (uri, place) => {
    expect([isRedirectUri(uri), placeOf(uri)]).toEqual([true, place]);
  });

  it.each([
    'http://example.com/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost@evil.example/cb',
    'https://user:pass@example.com/cb',
    'https://example.com/cb#part',
    'https://example.com/cb#',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    'vbscript:x',
    'ms-msdt:/id',
    'search-ms:query=x',
    'intent://scan/',
    'tel:1',
    'jar:https://example.com/x',
    'myapp://callback',
    '/callback',
    '',
    'https://example.com/a b',
    ' https://example.com/cb',
    `https://example.com/${'a'.repeat(2_000)}`,
  ])('is not %s', uri => {
    expect(isRedirectUri(uri)).toBe(false);
  });

  it.each([
    ['https://a.example/cb', 'https://a.example/cb', true],
    ['https://a.example/cb', 'https://a.example/cb/', false],
    ['https://a.example/cb', 'https://a.example/cb?x=1', false],
    ['https://a.example/cb', 'https://A.example/cb', false],
    ['https://a.example/cb', 'https://a.example:444/cb', false],
    ['https://a.example/cb', 'https://a.example/x/../cb', false],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:5000/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:5000/cb', true],
    ['http://localhost:1/cb', 'http://127.0.0.1:1/cb', false],
    ['http://[::1]:1/cb', 'http://[::1]:2/cb', true],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:1/other', false],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1:1@evil.example/cb', false],
    ['com.example:/cb', 'com.example:/cb', true],
    ['com.example:/cb', 'com.example:/cc', false],
  ])('registered %s, given %s: %s', (registered, given, expected) => {
    expect(isRegisteredRedirect([registered], given)).toBe(expected);
  });
});

describe('what a client says about itself', () => {
  it.each([
    ['https://claude.ai/oauth/client.json', true],
    ['https://claude.ai/', false],
    ['https://claude.ai', false],
    ['http://claude.ai/c.json', false],
    ['https://claude.ai/a/../c.json', false],
    ['https://CLAUDE.ai/c.json', false],
    ['https://u@claude.ai/c.json', false],
    ['https://claude.ai/c.json#x', false],
    [`https://claude.ai/${'a'.repeat(500)}`, false],
    ['client_01h', false],
    ['', false],
  ])('is at %s: %s', (clientId, expected) => {
    expect(isDocumentAddress(clientId)).toBe(expected);
  });

  it.each([
    ['https://claude.ai/c', true],
    ['https://127.0.0.1/c', false],
    ['https://[::1]/c', false],
    ['https://10.0.0.8/c', false],
    ['https://localhost/c', false],
    ['https://content.internal/c', false],
    ['https://localhost:9/c', true],
  ])('%s may be fetched: %s', (clientId, expected) => {
    expect(isFetchable(clientId, new Set(['localhost:9']))).toBe(expected);
  });

  const id = 'https://a.example/c.json';
  const redirect_uris = ['https://a.example/cb'];
  const own = { client_id: id, redirect_uris };

  it.each([
    [
      { ...own, client_name: '  A\n\u202e \u0000client  ' },
      { name: 'A client', redirectUris: redirect_uris },
    ],
    [
      { ...own, client_name: `${'a'.repeat(79)}😀b` },
      { name: `${'a'.repeat(79)}😀`, redirectUris: redirect_uris },
    ],
    [own, { name: 'a.example', redirectUris: redirect_uris }],
    [{ ...own, client_id: 'https://b.example/c.json' }, { error: 'invalid_client_metadata' }],
    [{ ...own, token_endpoint_auth_method: 'private_key_jwt' }, { error: 'invalid_client_metadata' }],
    [{ ...own, response_types: ['token'] }, { error: 'invalid_client_metadata' }],
    [{ ...own, redirect_uris: [] }, { error: 'invalid_redirect_uri' }],
    [{ ...own, redirect_uris: Array(21).fill(redirect_uris[0]) }, { error: 'invalid_redirect_uri' }],
    [{ ...own, redirect_uris: [...redirect_uris, 'javascript:x'] }, { error: 'invalid_redirect_uri' }],
    [{ ...own, client_name: 7 }, { error: 'invalid_client_metadata' }],
    [null, { error: 'invalid_client_metadata' }],
  ])('in the document %j', (document, expected) => {
    expect(readClientDocument(id, JSON.stringify(document))).toMatchObject(expected);
  });

  it('a document that is not JSON is refused; who registers for a secret is public all the same', () => {
    expect(readClientDocument(id, '<html>')).toMatchObject({ error: 'invalid_client_metadata' });
    const given = { redirect_uris, token_endpoint_auth_method: 'client_secret_post' };
    expect(readRegistration(given)).toEqual({ name: 'a.example', redirectUris: redirect_uris });
  });
});

describe('the scopes that are offered', () => {
  it.each(roles)('to a person who is %s never approve', role => {
    expect(offeredScopes(undefined, role)).not.toContain('content:approve');
    expect(offeredScopes(scopes.join(' '), role)).toEqual(offeredScopes(undefined, role));
    expect(offeredScopes('content:approve', role)).toEqual([]);
  });

  it.each([
    ['viewer', 'content:read content:write', ['content:read']],
    ['editor', 'schedules:publish schedules:write offline_access', ['schedules:write']],
    ['approver', 'schedules:publish', ['schedules:publish']],
    ['owner', ' content:read  content:read ', ['content:read']],
  ] as const)('%s, asked for %s: %j', (role, asked, expected) => {
    expect(offeredScopes(asked, role)).toEqual(expected);
  });
});

describe('an authorization request', () => {
  const resource = 'https://h.example/mcp';
  const given = {
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource,
  };

  it.each([
    [{}, null],
    [{ resource: 'https://H.example:443/mcp' }, null],
    [{ resource: 'https://h.example/mcp/' }, 'invalid_target'],
    [{ resource: 'https://h.example' }, 'invalid_target'],
    [{ resource: undefined }, 'invalid_target'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ state: 'x'.repeat(2_001) }, 'invalid_request'],
  ])('with %j: %s', (changes, error) => {
    expect(refusalOfAuthorization({ ...given, ...changes }, resource)?.error ?? null).toBe(error);
  });

  it('goes back with the state and the issuer, and keeps the query of the address', () => {
    const request = { redirect_uri: 'https://a.example/cb?tenant=1', state: 'a&b=c' };
    expect(backToClient(request, { code: 'x' }, 'https://h.example')).toBe(
      'https://a.example/cb?tenant=1&code=x&state=a%26b%3Dc&iss=https%3A%2F%2Fh.example',
    );
  });

  it('is proven by the verifier of RFC 7636, appendix B, and by no other', () => {
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect(provesChallenge(verifier, given.code_challenge)).toBe(true);
    expect(provesChallenge(`${verifier}x`, given.code_challenge)).toBe(false);
    expect(provesChallenge('short', given.code_challenge)).toBe(false);
  });
});

describe('a token', () => {
  it('says its kind; a refresh keeps the family', () => {
    const first = partsOfRefreshToken(makeRefreshToken(randomBytes(32), randomBytes(32)));
    const second = partsOfRefreshToken(makeRefreshToken(first?.family ?? '', randomBytes(32)));
    expect(second?.family).toBe(first?.family);
    expect(second?.current).not.toBe(first?.current);
    expect(partsOfRefreshToken(makeAccessToken(randomBytes(32)))).toBeNull();
    expect([
      isAccessToken(makeAccessToken(randomBytes(32))),
      isAccessToken(makeRefreshToken(randomBytes(32), randomBytes(32))),
    ]).toEqual([true, false]);
  });
});
