import { screen } from '@testing-library/react';
import type { OrderDetails } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp } from './openApp';
import { answerDetails, detailsOf } from './orderDetails';
import { member, signedInAs } from './server';

/** Opens order 100234 as `me`, by default with all permissions. */
export async function openOrder(
  order: Partial<OrderDetails> | (() => Partial<OrderDetails>) = {},
  me = member(),
) {
  signedInAs(me);
  answerDetails(() => detailsOf(100234, typeof order === 'function' ? order() : order));
  const user = await openApp(paths.viewOrder(100234));
  await screen.findByRole('region', { name: 'Emails' });
  return user;
}
