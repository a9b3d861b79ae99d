/** Checks of the layout that need no reference picture: nothing overflows, is cut off, overlaps or is too small. */

// oxlint-disable unicorn/consistent-function-scoping -- the checks run in the page, without this module's scope

import { type Page, expect } from '@playwright/test';

/** The least size of a control for a finger; axe checks what a pointer needs. */
const FINGER_PX = 44;
const LAST_PHONE_WIDTH = 767;

/** Waits until no part of the page still loads. The network is never idle: the page follows the changes of its orders. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
}

/** Fails if the layout of the screen is broken at the current width. */
export async function expectSoundLayout(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  const at = `at ${width} px`;
  expect.soft(await page.evaluate(overflows), `sideways overflow ${at}`).toEqual([]);
  expect.soft(await page.evaluate(atTheEdge), `parts at the edge of the content ${at}`).toEqual([]);
  expect.soft(await page.evaluate(clippedTexts), `clipped texts ${at}`).toEqual([]);
  expect.soft(await page.evaluate(overlaps), `overlapping controls ${at}`).toEqual([]);
  expect.soft(await page.evaluate(cutPlaceholders), `cut placeholders ${at}`).toEqual([]);
  expect.soft(await page.evaluate(wideHyphens), `dates with wide hyphens ${at}`).toEqual([]);
  if (width <= LAST_PHONE_WIDTH) {
    const small = await page.evaluate(smallControls, FINGER_PX);
    expect.soft(small, `controls below ${FINGER_PX} px ${at}`).toEqual([]);
  }
}

/** The first elements that are wider than the page. */
function overflows(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  );
  return [`${scrollWidth} px`, ...wide.slice(0, 5).map((it) => it.outerHTML.slice(0, 120))];
}

/** The parts of a staff screen that touch the sides of its content, which keeps a margin around all of them. */
function atTheEdge(): string[] {
  const content = document.getElementById('content');
  if (!content) return [];
  const { left, right } = content.getBoundingClientRect();
  return [...content.children]
    .filter((part) => part.checkVisibility())
    .filter((part) => {
      const box = part.getBoundingClientRect();
      return box.width > 0 && (box.left < left + 8 || box.right > right - 8);
    })
    .map((part) => part.outerHTML.slice(0, 120));
}

/** The texts of which a part is hidden. An ellipsis shows that there is more, so it is allowed. */
function clippedTexts(): string[] {
  const hasText = (element: Element) =>
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    );
  const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
  const isClipped = (element: Element) => {
    const style = getComputedStyle(element);
    // A clip path or a single pixel is how a text is shown to screen readers alone.
    if (!element.checkVisibility() || style.clipPath !== 'none' || element.clientWidth <= 2)
      return false;
    if (style.textOverflow === 'ellipsis' && hides(style.overflowX)) return false;
    return (
      (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 1)
    );
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => hasText(element) && isClipped(element))
    .map((element) => element.outerHTML.slice(0, 160));
}

/** The pairs of controls that lie over each other in the same layer: the page, a scroller, or what stays in view. */
function overlaps(): string[] {
  const isLayer = (element: Element) => {
    const { position, overflowX, overflowY } = getComputedStyle(element);
    return /fixed|sticky/.test(position) || /auto|scroll/.test(overflowX + overflowY);
  };
  const layerOf = (element: Element): Element => {
    let layer = element.parentElement ?? document.body;
    while (layer !== document.body && !isLayer(layer)) layer = layer.parentElement ?? document.body;
    return layer;
  };
  const contains = (outer: DOMRect, inner: DOMRect) =>
    inner.left >= outer.left - 1 &&
    inner.right <= outer.right + 1 &&
    inner.top >= outer.top - 1 &&
    inner.bottom <= outer.bottom + 1;
  const meet = (one: DOMRect, other: DOMRect) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;

  const controls = [...document.querySelectorAll('a, button, input, select, textarea')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => ({ element, layer: layerOf(element), box: element.getBoundingClientRect() }));
  return controls.flatMap((one, index) =>
    controls
      .slice(index + 1)
      .filter(({ element, layer }) => layer === one.layer && !one.element.contains(element))
      // The button at the end of a field lies in the field.
      .filter(({ box }) => !(one.element.matches('input') && contains(one.box, box)))
      .filter(({ box }) => meet(one.box, box))
      .map(({ element }) =>
        [one.element, element].map((it) => it.outerHTML.slice(0, 100)).join(' over '),
      ),
  );
}

/** The empty fields whose placeholder is wider than they are. */
function cutPlaceholders(): string[] {
  const canvas = document.createElement('canvas').getContext('2d')!;
  const isCut = (field: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    canvas.font = font;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return field.value === '' && canvas.measureText(field.placeholder).width > room + 1;
  };
  return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
    .filter((field) => field.checkVisibility({ visibilityProperty: true }) && isCut(field))
    .map((field) => field.outerHTML.slice(0, 120));
}

/** The dates whose hyphens are as wide as their figures, as tabular figures make them in Inter. */
function wideHyphens(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  const place = document.createRange();
  const widthAt = (text: Node, at: number) => {
    place.setStart(text, at);
    place.setEnd(text, at + 1);
    return place.getBoundingClientRect().width;
  };
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const { index } = /\d-\d/.exec(text.nodeValue ?? '') ?? {};
    const parent = text.parentElement!;
    if (index === undefined || !parent.checkVisibility()) continue;
    const { fontSize, fontFamily, letterSpacing } = getComputedStyle(parent);
    if (!fontFamily.startsWith('Inter')) continue;
    const width = widthAt(text, index + 1) - (parseFloat(letterSpacing) || 0);
    if (width > 0.55 * parseFloat(fontSize)) found.push(parent.outerHTML.slice(0, 120));
  }
  return found;
}

/** The controls that are too small for a finger. Links within texts and tables are no controls, but those that call. */
function smallControls(least: number): string[] {
  const isSmall = (element: Element) => {
    // The label around a checkbox takes the click as well.
    const target = element.closest('label') ?? element;
    const { width, height, bottom } = target.getBoundingClientRect();
    const isShown = bottom > 0 && getComputedStyle(target).clipPath === 'none';
    return isShown && (width < least - 0.5 || height < least - 0.5);
  };
  return [
    ...document.querySelectorAll(
      'button, input, select, textarea, a[class*="_button_"], a[href^="tel:"], nav a, header a',
    ),
  ]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && isSmall(element))
    .map((element) => element.outerHTML.slice(0, 160));
}
