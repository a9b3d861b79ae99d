// Separate from visitorCalls.ts: few visitors need these, so the page does not wait for them.
import type { components } from './schema';
import { post } from './visitorCalls';

type Schemas = components['schemas'];

/** Proves with the mailed code that an order is the visitor's. */
export async function confirmCode(orderId: string, code: string): Promise<void> {
  const body: Schemas['ConfirmTrackingCode'] = { orderId, code };
  await post<Schemas['Tracked']>('confirm-tracking-code', body);
}

/** Proves with the key of a mailed link that an order is the visitor's. */
export async function openMailedLink(orderId: number, key: string): Promise<void> {
  const body: Schemas['OpenMailedLink'] = { orderId: String(orderId), key };
  await post<Schemas['Tracked']>('open-mailed-link', body);
}
