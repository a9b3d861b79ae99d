/** Work on a screen with its effort counted: keys without a pointer, or clicks. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { type Locator, type Page, expect } from '@playwright/test';

const FARTHEST_TAB = 150;

/** What a person did. A key with its modifiers counts once; the characters of a typed text count apart from it. */
export interface Effort {
  keys: number;
  characters: number;
  clicks: number;
}

/**
 * How long a practised person takes to do that, by the keystroke-level model of Card, Moran and Newell (1980): a key takes 0.28 s; a
 * click 1.35 s to decide, 1.1 s to point and 0.2 s to press. Reading papers, and waiting for the program, come on top.
 */
export function secondsOf({ keys, characters, clicks }: Effort): number {
  return Math.round(0.28 * (keys + characters) + (1.35 + 1.1 + 0.2) * clicks);
}

/** The numbers that a page of the documentation states in a row of a table. */
export async function statedNumbers(doc: string, row: string): Promise<number[]> {
  const text = await readFile(resolve(import.meta.dirname, '../../docs', doc), 'utf8');
  const cells = text.split('\n').find((line) => line.startsWith(`| ${row} |`));
  const numbers = (cells ?? '').split('|').slice(2, -1).map(Number);
  expect(numbers, `docs/${doc} states the effort of: ${row}`).not.toEqual([]);
  expect(numbers).not.toContain(NaN);
  return numbers;
}

/** Fails if a job took more than the row of `docs/benchmarks.md` about it says. */
export async function expectAtMostStated(row: string, effort: Effort): Promise<void> {
  const { keys, characters, clicks } = effort;
  const stated = await statedNumbers('benchmarks.md', row);
  const more = [keys, characters, clicks].filter((count, place) => count > stated[place]!);
  expect(more, `${row}: it took ${JSON.stringify(effort)}`).toEqual([]);
}

/** A person without a pointer. */
export class KeyboardWork {
  readonly effort: Effort = { keys: 0, characters: 0, clicks: 0 };

  constructor(private readonly page: Page) {}

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.effort.keys += 1;
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.effort.characters += text.length;
    await this.page.keyboard.type(text);
  }

  /** Presses Tab until the focus is on `target`. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    for (let presses = 0; presses < FARTHEST_TAB; presses += 1) {
      await this.press('Tab');
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    throw new Error(`no ${FARTHEST_TAB} Tabs lead to ${target.toString()}`);
  }
}

/** A person with a mouse, who uses the keyboard for texts, and for keys that save many clicks. */
export class MouseWork {
  readonly effort: Effort = { keys: 0, characters: 0, clicks: 0 };

  constructor(private readonly page: Page) {}

  async click(target: Locator): Promise<void> {
    this.effort.clicks += 1;
    await target.click();
  }

  async press(key: string): Promise<void> {
    this.effort.keys += 1;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.effort.characters += text.length;
    await this.page.keyboard.type(text);
  }
}
