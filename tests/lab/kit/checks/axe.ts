/** A page of Playwright or of Puppeteer. */
type ScriptedPage = { evaluate(script: string): Promise<unknown> };

const options = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  resultTypes: ['violations'],
  // It fetches the style sheets again for each run, for an experimental rule.
  preload: false,
};

const script = `axe.run(${JSON.stringify(options)}).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(node => id + ': ' + node.html.slice(0, 200) + ': ' + (node.failureSummary ?? ''))))`;

/**
 * What axe-core finds on the page, one line per element.
 * @param source of axe-core, which each suite of browser tests installs apart
 */
export async function findViolations(page: ScriptedPage, source: string): Promise<string[]> {
  // Half a megabyte to parse: once a document, not once a state.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  return (await page.evaluate(script)) as string[];
}
