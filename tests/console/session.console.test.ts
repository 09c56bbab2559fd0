/** The cookie of the console in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launch, visit } from './src/browser.ts';
import { newPerson } from './src/person.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe('a page of another origin', () => {
  it('cannot act with the cookie of a person who is signed in', async () => {
    const { url, simulatorsUrl } = inject('product');
    const person = await newPerson();
    const { page, context, end } = await visit(browser, 'desktop', { as: person });
    // Another port is another origin of the same site: the browser sends the cookie.
    await page.goto(`${simulatorsUrl}/_control/posts`);
    const [answer] = await Promise.all([
      page.waitForResponse(`${url}/console/api/v1/auth/sign-out`),
      page.evaluate(action => {
        const form = Object.assign(document.createElement('form'), { action, method: 'post' });
        form.enctype = 'text/plain';
        document.body.append(form);
        form.submit();
      }, `${url}/console/api/v1/auth/sign-out`),
    ]);
    expect((await answer.request().allHeaders()).cookie).toContain('session');
    expect(answer.status()).toBe(403);
    const session = await context.request.get(`${url}/console/api/v1/auth/session`);
    expect(session.status()).toBe(200);
    await end();
  });
});
