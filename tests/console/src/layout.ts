import type { Page } from 'playwright-core';

/**
 * Faults of the layout, read from the page as it stands: fonts and versions of a browser draw different
 * pictures, and no picture says which control is out of reach.
 */
export function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const touchPx = 44;
    const scope =
      document.querySelector('[popover]:popover-open') ??
      [...document.querySelectorAll('dialog[open]')].at(-1) ??
      document.body;
    const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const styleOf = (element: Element) => getComputedStyle(element);
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40)}”`;
    const ancestorsOf = (element: Element): Element[] =>
      element.parentElement ? [element.parentElement, ...ancestorsOf(element.parentElement)] : [];
    const within = (a: DOMRect, b: DOMRect) => {
      const [left, top] = [Math.max(a.left, b.left), Math.max(a.top, b.top)];
      return new DOMRect(left, top, Math.min(a.right, b.right) - left, Math.min(a.bottom, b.bottom) - top);
    };
    const isThere = ({ width, height }: DOMRect) => width > 1 && height > 1;
    /** What scrolls or clips it leaves this much of it. */
    const seenOf = (element: Element) =>
      ancestorsOf(element)
        .filter(outer => styleOf(outer).overflowX !== 'visible')
        .reduce(
          (rect, outer) => within(rect, outer.getBoundingClientRect()),
          element.getBoundingClientRect(),
        );
    const layerOf = (element: Element) =>
      [element, ...ancestorsOf(element)].find(outer => /fixed|sticky/.test(styleOf(outer).position));
    const controls = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary')]
      .filter(control => shown(control) && !control.matches('dialog [popover]:not(:popover-open) *'))
      .map(control => ({ control, rect: seenOf(control), layer: layerOf(control), name: nameOf(control) }))
      // A skip link waits above the page.
      .filter(({ rect }) => isThere(rect) && rect.bottom + scrollY > 0);
    const isNested = (a: Element, b: Element) => a.contains(b) || b.contains(a);

    const overlapping = controls.flatMap((one, index) =>
      controls
        .slice(index + 1)
        .filter(other => other.layer === one.layer && !isNested(one.control, other.control))
        .filter(other => isThere(within(one.rect, other.rect)))
        .map(other => `${one.name} overlaps ${other.name}`),
    );

    const covered = controls.flatMap(({ control, rect, layer, name }) => {
      const hit = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
      // What is not in view, or below a bar, is scrolled to.
      if (hit === null || layerOf(hit) !== layer || isNested(hit, control)) return [];
      const labels = [...((control as HTMLInputElement).labels ?? [])];
      return labels.some(label => label.contains(hit)) ? [] : [`${name} is covered by ${nameOf(hit)}`];
    });

    const targetOf = (control: Element) => {
      const labels = [...((control as HTMLInputElement).labels ?? [])];
      const isStretched = getComputedStyle(control, '::after').position === 'absolute';
      const parts = [control, ...labels, ...(isStretched ? [(control as HTMLElement).offsetParent] : [])];
      const rects = parts.flatMap(part => part?.getBoundingClientRect() ?? []);
      const sizes = {
        left: Math.min(...rects.map(({ left }) => left)),
        top: Math.min(...rects.map(({ top }) => top)),
      };
      return [
        Math.max(...rects.map(({ right }) => right)) - sizes.left,
        Math.max(...rects.map(({ bottom }) => bottom)) - sizes.top,
      ].map(Math.round);
    };
    const small = matchMedia('(pointer: coarse)').matches
      ? controls
          // A link in a sentence is as high as its line.
          .filter(({ control }) => !(control.matches('a') && styleOf(control).display === 'inline'))
          .map(({ control, name }) => ({ size: targetOf(control), name }))
          .filter(({ size }) => size.some(px => px < touchPx))
          .map(({ size, name }) => `${name} is ${size.join(' × ')} px`)
      : [];

    const clipped = [...scope.querySelectorAll<HTMLElement>('*')]
      .filter(element =>
        [...element.childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()),
      )
      .filter(element => shown(element) && element.clientWidth > 1)
      .filter(element => {
        const { display, overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(element);
        if (display === 'inline' || textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return false;
        const isWide = element.scrollWidth > element.clientWidth + 1 && !/auto|scroll/.test(overflowX);
        const isHigh = element.scrollHeight > element.clientHeight + 1 && /hidden|clip/.test(overflowY);
        return isWide || isHigh;
      })
      .map(element => `the text of ${nameOf(element)} does not fit`);
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('*')]
      .filter(element => scrollWidth > clientWidth && element.getBoundingClientRect().right > clientWidth)
      .map(element => `${nameOf(element)} makes the page scroll sideways`);
    return [...new Set([...wide, ...overlapping, ...covered, ...small, ...clipped])];
  });
}
