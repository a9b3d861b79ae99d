import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refetchAll } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { asked, linkTo, storedFile } from '@/testing/orderDetails';

const viewer = () => within(screen.getByRole('region', { name: 'Documents' }));
const address = (link: string) => `${location.origin}/${link}`;

const passport = (signature = 'signature') =>
  storedFile('passport_picture', {
    file1: 'passport.png',
    label: 'Travel document',
    link: linkTo('passport.png', signature),
  });
const photo = storedFile('upload_picture', { file1: 'photo.jpg', label: 'Photo' });
const statement = storedFile('bank_statement');

test('the passport is shown first, followed by the other documents', async () => {
  const user = await openOrder({
    documents: [statement, photo, passport()],
    required_documents: [asked('bank_statement', true)],
  });
  expect(viewer().getByRole('img', { name: 'Travel document' })).toHaveAttribute(
    'src',
    address(linkTo('passport.png')),
  );
  await user.click(viewer().getByRole('button', { name: 'Next document' }));
  expect(viewer().getByRole('img', { name: 'Photo' })).toBeVisible();
  await user.keyboard('.');
  expect(viewer().getByText('3 of 3')).toBeVisible();
  await user.click(viewer().getByRole('button', { name: 'Next document' }));
  expect(viewer().getByText('1 of 3')).toBeVisible();
  await user.keyboard(',');
  expect(viewer().getByText('3 of 3')).toBeVisible();
});

test('an image can be zoomed and rotated, and the next one starts unchanged', async () => {
  const user = await openOrder({ documents: [passport(), photo] });
  await user.click(viewer().getByRole('button', { name: 'Zoom in' }));
  await user.keyboard('z');
  expect(viewer().getByRole('group', { name: 'Travel document, 200 %' })).toBeVisible();
  await user.keyboard('{Shift>}Z{/Shift}r');
  expect(viewer().getByRole('group', { name: 'Travel document, 150 %' })).toBeVisible();
  expect(viewer().getByRole('img')).toHaveAttribute('data-across', 'true');
  await user.keyboard('.');
  expect(viewer().getByRole('group', { name: 'Photo, 100 %' })).toBeVisible();
  expect(viewer().getByRole('img')).not.toHaveAttribute('data-across');
});

test('the link of a document opens the viewer', async () => {
  Element.prototype.scrollIntoView = () => {};
  const user = await openOrder({
    documents: [passport(), statement],
    required_documents: [asked('bank_statement', true)],
  });
  await user.click(screen.getByRole('link', { name: 'Bank statement (minimum USD 2000)' }));
  const frame = viewer().getByTitle('Bank statement (minimum USD 2000)');
  expect(frame).toHaveAttribute('src', `${address(statement.link)}#navpanes=0&view=FitH`);
  expect(frame).not.toHaveAttribute('sandbox');
});

test('missing documents are named in the viewer', async () => {
  await openOrder({ required_documents: [asked('bank_statement', false)] });
  expect(viewer().getByText('No documents are on file')).toBeVisible();
  expect(viewer().getByText('Missing:').parentElement).toHaveTextContent(
    'Missing: Bank statement (minimum USD 2000)',
  );
});

test('a failed URL is renewed and tried once more, then again on demand', async () => {
  let asked = 0;
  const user = await openOrder(() => ({ documents: [passport(`signature${++asked}`)] }));
  const image = () => viewer().getByRole('img');
  expect(image()).toHaveAttribute('src', address(linkTo('passport.png', 'signature1')));
  fireEvent.error(image());
  await waitFor(() =>
    expect(image()).toHaveAttribute('src', address(linkTo('passport.png', 'signature2'))),
  );
  fireEvent.error(image());
  expect(await viewer().findByText('Travel document could not be opened.')).toBeVisible();
  expect(asked).toBe(2);
  await user.click(viewer().getByRole('button', { name: 'Try again' }));
  await waitFor(() =>
    expect(image()).toHaveAttribute('src', address(linkTo('passport.png', 'signature3'))),
  );
});

test('the shown file is not reloaded with the order', async () => {
  let asked = 0;
  await openOrder(() => ({ documents: [passport(`signature${++asked}`)] }));
  await refetchAll();
  const inNewTab = viewer().getByRole('link', { name: 'Open Travel document in a new tab' });
  await waitFor(() =>
    expect(inNewTab).toHaveAttribute('href', address(linkTo('passport.png', 'signature2'))),
  );
  expect(asked).toBe(2);
  expect(viewer().getByRole('img')).toHaveAttribute(
    'src',
    address(linkTo('passport.png', 'signature1')),
  );
});
