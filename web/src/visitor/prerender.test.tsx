import { expect, test } from 'vitest';
import { LANGUAGES, languages } from '@/i18n/languages';
import { textsIn } from '@/i18n/texts';
import { prerendered } from './prerender';

const documents = prerendered({ script: '/assets/visitor.js', style: '/assets/visitor.css' });

test.each(languages)(
  '%s has both pages, in its language and direction from the first byte',
  async (language) => {
    const texts = await textsIn(language);
    const opening = `<!doctype html>\n<html lang="${language}" dir="${LANGUAGES[language].direction}"`;
    const track = (await documents).get(`${language}/track-order.html`);
    const details = (await documents).get(`${language}/download.html`);
    expect(track?.startsWith(opening)).toBe(true);
    expect(details?.startsWith(opening)).toBe(true);
    expect(track).toContain(texts.trackHeading);
    expect(details).toContain(texts.detailsTitle);
  },
);

test.each(languages)('%s contains the texts that its script needs', async (language) => {
  const root = document.createElement('div');
  root.innerHTML = (await documents).get(`${language}/download.html`)!;
  const { texts } = root.querySelector<HTMLElement>('#root')!.dataset;
  expect(JSON.parse(texts!)).toEqual(await textsIn(language));
});

test('no page has an inline script, style or handler', async () => {
  for (const html of (await documents).values()) {
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:/);
  }
});
