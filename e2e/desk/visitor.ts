/** What a traveller does on the public pages, and what the desk must have done before. */

import { readFile } from 'node:fs/promises';

import { type Page, expect } from '@playwright/test';

import type { Desk } from './desk.ts';

/** An order that a visitor may ask for. */
export interface TravellerOrder {
  orderId: number;
  email: string;
}

/** Brings in an order that immigration has; answers its id and the email used on the application. */
export async function orderWithoutVisa(desk: Desk, reference: string): Promise<TravellerOrder> {
  await desk.importOrders([
    {
      external_reference: reference,
      full_name: 'Wilhelmina Okonkwo',
      process_status: 'AwaitingGovt',
    },
  ]);
  return first(desk, 'awaitingGovtOrder', `${reference.toLowerCase()}@traveller.example`);
}

/** An order of the filled desk whose visa is issued, and was downloaded before. */
export async function orderWithVisa(desk: Desk): Promise<TravellerOrder> {
  return first(desk, 'completedOrder', '');
}

async function first(desk: Desk, folder: string, searched: string): Promise<TravellerOrder> {
  const found = await fetch(`${desk.url}/api/admin/search-order`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: await desk.signIn('Admin') },
    body: JSON.stringify({ start: 0, end: 1, searchVal: searched, folderName: folder }),
  });
  const { data } = (await found.json()) as {
    data: { order_id: number; contact_email_address: string }[];
  };
  const { order_id, contact_email_address } = data[0]!;
  return { orderId: order_id, email: contact_email_address };
}

/** The order's id as links carry it. */
export function encoded(orderId: number): string {
  return btoa(String(orderId * 2));
}

/** The address of the order's track page. */
export function trackPath({ orderId }: TravellerOrder): string {
  return `/track-order/${encodeURIComponent(encoded(orderId))}`;
}

/** The address of the page behind it. */
export function detailsPath({ orderId }: TravellerOrder): string {
  return `/get-new-order-details/${encodeURIComponent(encoded(orderId))}`;
}

/** Proves with the email that the order is one's own. */
export async function track(page: Page, order: TravellerOrder): Promise<void> {
  await page.goto(trackPath(order));
  await expect(page.getByLabel('Order ID')).toHaveValue(String(order.orderId));
  await page.getByLabel('Email').fill(order.email);
  await page.getByRole('button', { name: 'TRACK ORDER' }).click();
  await expect(page).toHaveURL(detailsPath(order));
}

/** Clicks Download Now and waits for the file; answers its name and its first bytes. */
export async function download(page: Page): Promise<{ name: string; opening: string }> {
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Now' }).click();
  const file = await begun;
  const bytes = await readFile(await file.path());
  return { name: file.suggestedFilename(), opening: bytes.subarray(0, 5).toString() };
}
