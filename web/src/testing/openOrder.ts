import { screen } from '@testing-library/react';
import type { OrderDetails } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { useFolds } from '@/ui/folds';
import { openApp } from './openApp';
import { answerDetails, detailsOf } from './orderDetails';
import { member, signedInAs } from './server';

/** The parts of an order that are folded at first. */
const FOLDS = [
  'Comment History',
  'Email History',
  'Download History',
  'Failed Tracking Attempts',
  'Timeline',
  'Checkout Evidence',
  'Visa Type Information',
  'Address in Indonesia',
  'Evidence',
  'Needed only in some cases',
  'Applicant And Passport Image',
];

/** Opens order 100234 as `me`, by default with all permissions and with nothing folded. */
export async function openOrder(
  order: Partial<OrderDetails> | (() => Partial<OrderDetails>) = {},
  me = member(),
  unfolded: readonly string[] = FOLDS,
) {
  useFolds.setState({ open: unfolded });
  signedInAs(me);
  answerDetails(() => detailsOf(100234, typeof order === 'function' ? order() : order));
  const user = await openApp(paths.viewOrder(100234));
  await screen.findByRole('region', { name: 'Emails' });
  return user;
}
