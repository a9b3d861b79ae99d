/** Photographs of invented people. */

import type { Page } from '@playwright/test';

import type { PickedFile } from './papers.ts';

/** A portrait in front of a plain wall, drawn by the browser of `page`. */
export async function portrait(page: Page, width: number, height: number): Promise<PickedFile> {
  const url = await page.evaluate(
    ([width, height]) => {
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const pen = canvas.getContext('2d')!;
      const oval = (color: string, x: number, y: number, rx: number, ry: number) => {
        pen.fillStyle = color;
        pen.beginPath();
        pen.ellipse(x * width!, y * height!, rx * width!, ry * height!, 0, 0, 7);
        pen.fill();
      };
      pen.fillStyle = '#dfe7ee';
      pen.fillRect(0, 0, width!, height!);
      oval('#2b4a6f', 0.5, 1.05, 0.38, 0.3);
      oval('#3a2417', 0.5, 0.4, 0.23, 0.22);
      oval('#d9a483', 0.5, 0.46, 0.19, 0.2);
      oval('#22160f', 0.42, 0.44, 0.025, 0.012);
      oval('#22160f', 0.58, 0.44, 0.025, 0.012);
      oval('#a8493f', 0.5, 0.57, 0.06, 0.014);
      return canvas.toDataURL('image/jpeg', 0.95);
    },
    [width, height],
  );
  const buffer = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  return { name: 'IMG_0417.jpg', mimeType: 'image/jpeg', buffer };
}
