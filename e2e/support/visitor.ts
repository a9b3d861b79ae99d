/** Actions of visitors on the public pages, and the orders they need. */

import { readFile } from 'node:fs/promises';

import { type Page, expect } from '@playwright/test';

import type { FoundOrder, TestServer } from './testServer.ts';

/** Imports an order that waits for the government. Returns its id and the email used on the application. */
export async function orderWithoutVisa(server: TestServer, reference: string): Promise<FoundOrder> {
  await server.importOrders([
    {
      external_reference: reference,
      full_name: 'Wilhelmina Okonkwo',
      process_status: 'AwaitingGovt',
    },
  ]);
  return server.findOrder('awaitingGovtOrder', `${reference.toLowerCase()}@traveller.example`);
}

/** A seeded order whose visa is issued and was downloaded before. */
export async function orderWithVisa(server: TestServer): Promise<FoundOrder> {
  return server.findOrder('completedOrder', '');
}

/** The order's id as links carry it. */
export function encoded(orderId: number): string {
  return btoa(String(orderId * 2));
}

/** The URL of the order's track page. */
export function trackPath({ orderId }: FoundOrder): string {
  return `/track-order/${encodeURIComponent(encoded(orderId))}`;
}

/** The URL of the order's download page. */
export function detailsPath({ orderId }: FoundOrder): string {
  return `/get-new-order-details/${encodeURIComponent(encoded(orderId))}`;
}

/** Tracks the order with its email. */
export async function track(page: Page, order: FoundOrder): Promise<void> {
  await page.goto(trackPath(order));
  await expect(page.getByLabel('Order ID')).toHaveValue(String(order.orderId));
  await page.getByLabel('Email').fill(order.email);
  await page.getByRole('button', { name: 'TRACK ORDER' }).click();
  await expect(page).toHaveURL(detailsPath(order));
}

/** Clicks Download Now, waits for the file and returns its name and first bytes. */
export async function download(page: Page): Promise<{ name: string; opening: string }> {
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Now' }).click();
  const file = await begun;
  const bytes = await readFile(await file.path());
  return { name: file.suggestedFilename(), opening: bytes.subarray(0, 5).toString() };
}
