/** What people set to read better: more space in texts, a magnified page, colours of their system. */

// oxlint-disable unicorn/consistent-function-scoping -- the checks run in the page, without this module's scope

import { type Page, expect } from '@playwright/test';

/** The spacing of WCAG 1.4.12, which no text may be lost by. A sheet of the page itself would break its security policy. */
const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-block-end: 2em !important; }`;

/** Sets the spacing of texts that WCAG 1.4.12 names. */
export async function spaceTexts(page: Page): Promise<void> {
  await page.evaluate(async (rules) => {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(await sheet.replace(rules));
  }, SPACING);
}

/** Lets the Tab key begin at the top of the page again. */
export async function startAtTheTop(page: Page): Promise<void> {
  await page.evaluate(() => {
    const top = document.createElement('span');
    top.tabIndex = -1;
    document.body.prepend(top);
    top.focus();
    top.remove();
  });
}

/** Fails if an element that the Tab key reaches is not seen as the one with the focus. */
export async function expectVisibleFocus(page: Page, stops: number, what: string): Promise<void> {
  const lost: string[] = [];
  await page.evaluate(() => window.scrollTo(0, 0));
  for (let stop = 0; stop < stops; stop += 1) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate(faultOfFocus);
    if (fault !== null) lost.push(fault);
  }
  expect.soft(lost, `focus that is not seen, ${what}`).toEqual([]);
}

/** Why the focused element is not seen as such, or null. Runs in the page. */
function faultOfFocus(): string | null {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const seen = document.elementFromPoint(x, y);
  const isSeen = seen !== null && (focused.contains(seen) || seen.contains(focused));
  // The label around a file input or a checkbox shows the focus for it.
  const around = [focused, focused.parentElement!, focused.closest('label') ?? focused];
  const isMarked = around.some((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  });
  if (isSeen && isMarked) return null;
  const cover = isSeen ? 'unmarked' : `behind ${seen?.outerHTML.slice(0, 90)}`;
  const place = [left, top, right, bottom].map(Math.round).join();
  return `${focused.outerHTML.slice(0, 90)} at ${place}: ${cover}`;
}

/** Fails if what is chosen looks in forced colours as what is not, or a control has neither a text, an image nor a frame. */
export async function expectStatesInForcedColors(page: Page, what: string): Promise<void> {
  expect.soft(await page.evaluate(lostStates), `states that are not seen, ${what}`).toEqual([]);
  expect.soft(await page.evaluate(lostControls), `controls not seen, ${what}`).toEqual([]);
}

/** The chosen elements that look as their unchosen neighbours: a heavier font alone is easily missed. Runs in the page. */
function lostStates(): string[] {
  const lookOf = (element: Element) =>
    [undefined, '::before', '::after'].map((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      const { color, backgroundColor, textDecorationLine, content } = style;
      const { borderTopWidth, borderLeftWidth, borderTopColor, borderLeftColor } = style;
      const borders = [borderTopWidth, borderLeftWidth, borderTopColor, borderLeftColor];
      return [color, backgroundColor, textDecorationLine, content, ...borders].join();
    });
  const isChosen = (element: Element) =>
    ['aria-selected', 'aria-pressed', 'aria-current'].some(
      (name) => !['false', null].includes(element.getAttribute(name)),
    );
  const neighbourOf = (element: Element): Element | undefined => {
    const selector = `${element.localName}[class="${element.className}"]`;
    for (let group = element.parentElement; group; group = group.parentElement) {
      const other = [...group.querySelectorAll(selector)].find((it) => !isChosen(it));
      if (other) return other;
    }
    return undefined;
  };
  return [...document.querySelectorAll('a, button, [role="option"], [role="tab"]')]
    .filter((element) => element.checkVisibility() && isChosen(element))
    .filter((element) => {
      const other = neighbourOf(element);
      return other && String(lookOf(element)) === String(lookOf(other));
    })
    .map((element) => element.outerHTML.slice(0, 120));
}

/** The controls of which nothing is seen. Runs in the page. */
function lostControls(): string[] {
  const hasInk = (element: HTMLElement) => {
    const { borderTopStyle, borderTopWidth, appearance } = getComputedStyle(element);
    const hasFrame = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0;
    const hasImage = element.querySelector('svg, img') !== null;
    const isNative = element.matches('input, select') && appearance !== 'none';
    return hasFrame || hasImage || isNative || element.innerText.trim() !== '';
  };
  const isReached = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2;
  };
  return [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')]
    .filter((element) => isReached(element) && getComputedStyle(element).opacity !== '0')
    .filter((element) => !hasInk(element))
    .map((element) => element.outerHTML.slice(0, 120));
}
