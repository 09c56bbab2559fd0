import type { FastifyReply } from 'fastify';

const brotli = /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/i;

export function takesBrotli(header: string | undefined): boolean {
  return brotli.test(header ?? '');
}

export function isUnchanged(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map(tag => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

export function addVary(reply: FastifyReply, name: string): string {
  return [reply.getHeader('vary'), name].filter(Boolean).join(', ');
}

/**
 * Inline scripts and styles are refused. Images come from this host, from memory (a chosen file), and from the public
 * address of the signed image links where a page is opened by another name of the same host.
 */
export function consolePolicy(publicOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${publicOrigin}`,
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
