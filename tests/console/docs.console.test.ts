/** The documents' pages under the product's content security policy. */

import { perSuite } from '@hookline/testing/per-suite';
import { describe, expect, it } from 'vitest';
import { launch, visit } from './src/browser.ts';

const browser = perSuite(launch);

describe('/docs', () => {
  it('draws the reference without a CSP report or a request to another host', async () => {
    const { page } = await visit(browser, 'desktop');
    const hosts = new Set<string>();
    page.on('request', request => hosts.add(new URL(request.url()).host));
    await page.goto('/docs');
    await page.getByText('Idempotency-Key').first().waitFor();
    expect([...hosts]).toEqual([new URL(page.url()).host]);
  });
});
