/** Faults of a screen that the comparison of its picture must detect, made in the browser. */

// oxlint-disable unicorn/consistent-function-scoping -- the search runs in the page, without this module's scope

import type { JSHandle, Page } from '@playwright/test';

const MOVE_PX = 8;
/** The colour that a part gets by fault; the other one where it has the first. */
const WRONG_COLORS = ['rgb(179, 38, 30)', 'rgb(29, 78, 216)'] as const;

interface Parts {
  /** The primary button, or the most important control where there is none; the heading where no control is in view. */
  control: HTMLElement;
  /** The smallest text: the hardest to miss. */
  label: HTMLElement;
}

/** A fault by its name. `make` returns what undoes it. */
export interface Fault {
  name: string;
  make: () => Promise<() => Promise<void>>;
}

/** The faults of the screen as it is now. */
export async function faultsOf(page: Page): Promise<Fault[]> {
  const parts = await page.evaluateHandle(findParts);
  const names = await parts.evaluate(({ control, label }) =>
    [control, label].map((it) => `“${(it.textContent || it.tagName).trim().slice(0, 30)}”`),
  );
  const [control, label] = names;
  return [
    { name: `${control} moved by ${MOVE_PX} px`, make: () => change(parts, 'control', 'move') },
    { name: `${control} in another colour`, make: () => change(parts, 'control', 'color') },
    { name: `${label} missing`, make: () => change(parts, 'label', 'remove') },
    { name: `${label} in another colour`, make: () => change(parts, 'label', 'color') },
  ];
}

async function change(
  parts: JSHandle<Parts>,
  part: keyof Parts,
  how: 'move' | 'color' | 'remove',
): Promise<() => Promise<void>> {
  await parts.evaluate(
    (found, { part, how, distance, colors }) => {
      const { style } = found[part];
      const { display, color, backgroundColor } = getComputedStyle(found[part]);
      const put = (name: string, value: string) => style.setProperty(name, value, 'important');
      if (how === 'remove') put('visibility', 'hidden');
      if (how === 'move' && display === 'inline') put('position', 'relative');
      if (how === 'move') put(display === 'inline' ? 'left' : 'translate', `${distance}px`);
      if (how !== 'color') return;
      const isClear = /^(rgba\(0, 0, 0, 0\)|transparent)$/.test(backgroundColor);
      // A control without a text, such as an icon, shows the colour of its letters nowhere.
      const isFilled = part === 'control' && (!isClear || found[part].textContent.trim() === '');
      const now = isFilled ? backgroundColor : color;
      put(
        isFilled ? 'background-color' : 'color',
        colors.find((it) => it !== now)!,
      );
    },
    { part, how, distance: MOVE_PX, colors: WRONG_COLORS },
  );
  return () =>
    parts.evaluate((found, part) => {
      const { style } = found[part];
      for (const name of [
        'visibility',
        'position',
        'left',
        'translate',
        'background-color',
        'color',
      ]) {
        style.removeProperty(name);
      }
    }, part);
}

/** Finds the parts in the topmost layer of the page. Runs in the page. */
function findParts(): Parts {
  const layer = [...document.querySelectorAll('dialog[open], main')].at(-1) ?? document.body;
  const isSeen = (element: Element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    if (width < 4 || height < 4 || left < 0 || top < 0) return false;
    if (right > innerWidth || bottom > innerHeight) return false;
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return seen !== null && (element.contains(seen) || seen.contains(element));
  };
  const seenOf = (selector: string) =>
    [...layer.querySelectorAll<HTMLElement>(selector)].filter(isSeen);
  const control = [
    '[data-kind="primary"], button.primary',
    'button[type="submit"]',
    'a[class*="_button_"], button',
    'input, select, a',
    // A long dialog may have its button below the screen.
    'h1, h2',
  ]
    .map((selector) => seenOf(selector)[0])
    .find((found) => found !== undefined)!;

  const textOf = (element: Element) =>
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ nodeValue }) => nodeValue!.trim())
      .join('');
  const areaOf = (element: Element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const { width, height } = text.getBoundingClientRect();
    return width * height;
  };
  const labels = seenOf('*')
    .filter((element) => /\p{L}{3}/u.test(textOf(element)) && element.childElementCount === 0)
    .filter((element) => !control.contains(element))
    .toSorted((one, other) => areaOf(one) - areaOf(other));
  return { control, label: labels[0]! };
}
