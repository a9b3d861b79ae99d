import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { refetchAll } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { asked, linkTo, storedFile } from '@/testing/orderDetails';
import { pageImage, post, server, success } from '@/testing/server';

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

/** The address of an image that the server sent. */
const imageOf = (size: string, page: number) => `data:image/png;base64,${btoa(`${size}/${page}`)}`;

/** Serves the images of PDFs with so many pages. Returns the pages that are asked for, as `size/page`. */
function answerPages(pages: number): string[] {
  const fetched: string[] = [];
  server.use(
    http.get('*/uploads/:name/pages/:size/:page', ({ params: { size, page } }) => {
      fetched.push(`${String(size)}/${String(page)}`);
      return pageImage(`${String(size)}/${String(page)}`, pages);
    }),
  );
  return fetched;
}

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
  answerPages(1);
  const user = await openOrder({
    documents: [passport(), statement],
    required_documents: [asked('bank_statement', true)],
  });
  await user.click(screen.getByRole('link', { name: 'Bank statement (minimum USD 2000)' }));
  expect(
    await viewer().findByRole('img', { name: 'Bank statement (minimum USD 2000)' }),
  ).toHaveAttribute('src', imageOf('screen', 1));
  expect(viewer().queryByRole('group', { name: 'Pages' })).toBeNull();
  expect(viewer().getByRole('link', { name: /in a new tab$/ })).toHaveAttribute(
    'href',
    address(statement.link),
  );
});

test('the pages of a PDF are turned by buttons, keys and number, and the next one is fetched ahead', async () => {
  const fetched = answerPages(3);
  const user = await openOrder({ documents: [statement] });
  const page = (number: number) =>
    viewer().findByRole('img', { name: `Bank statement (minimum USD 2000), page ${number}` });
  expect(await page(1)).toHaveAttribute('src', imageOf('screen', 1));
  await waitFor(() => expect(fetched).toEqual(['screen/1', 'screen/2']));
  const previous = viewer().getByRole('button', { name: 'Previous page' });
  expect(previous).toHaveAttribute('aria-disabled', 'true');
  await user.click(previous);
  await user.click(viewer().getByRole('button', { name: 'Next page' }));
  expect(await page(2)).toHaveAttribute('src', imageOf('screen', 2));
  await user.keyboard('{Shift>}>{/Shift}');
  expect(await page(3)).toBeVisible();
  await user.keyboard('{Shift>}>{/Shift}');
  await user.keyboard('{Shift>}<{/Shift}');
  expect(await page(2)).toBeVisible();
  await user.selectOptions(viewer().getByRole('combobox', { name: 'Page' }), '1 of 3');
  expect(await page(1)).toBeVisible();
  expect(fetched).toEqual(['screen/1', 'screen/2', 'screen/3']);
});

test('an enlarged page is fetched in more pixels, and a new link fetches nothing again', async () => {
  const fetched = answerPages(1);
  let asked = 0;
  const user = await openOrder(() => ({
    documents: [
      storedFile('bank_statement', { link: linkTo('bank_statement.pdf', `signature${++asked}`) }),
    ],
  }));
  await viewer().findByRole('img');
  await user.keyboard('zz');
  await waitFor(() => expect(viewer().getByRole('img')).toHaveAttribute('src', imageOf('fine', 1)));
  await user.keyboard('r{Shift>}ZZ{/Shift}');
  expect(viewer().getByRole('img')).toHaveAttribute('data-across', 'true');
  await refetchAll();
  expect(fetched.filter((page) => page === 'screen/1').length).toBeLessThanOrEqual(2);
});

test('a page that cannot be shown says why, and the file itself can be opened', async () => {
  let asked = 0;
  const message = 'This page is too complex to be shown here. Please open the file itself';
  server.use(
    http.get('*/uploads/:name/pages/:size/:page', () => {
      asked += 1;
      return HttpResponse.json({ status: 0, code: 'page_too_complex', message }, { status: 422 });
    }),
  );
  const user = await openOrder({ documents: [statement] });
  expect(await viewer().findByRole('alert')).toHaveTextContent(message);
  expect(
    viewer().getByRole('link', { name: 'Open Bank statement (minimum USD 2000)' }),
  ).toHaveAttribute('href', address(statement.link));
  expect(asked).toBe(1);
  answerPages(1);
  await user.click(viewer().getByRole('button', { name: 'Try again' }));
  expect(await viewer().findByRole('img')).toHaveAttribute('src', imageOf('screen', 1));
});

test('a page waits while the server is busy', async () => {
  let asked = 0;
  server.use(
    http.get('*/uploads/:name/pages/:size/:page', () => {
      asked += 1;
      const busy = { status: 0, code: 'pages_busy', message: 'Too many pages are being shown' };
      return asked < 3 ? HttpResponse.json(busy, { status: 503 }) : pageImage('screen/1', 1);
    }),
  );
  await openOrder({ documents: [statement] });
  expect(await viewer().findByRole('img')).toBeVisible();
  expect(asked).toBe(3);
});

test('a page whose link has ended is shown with a new link', async () => {
  let asked = 0;
  const links: string[] = [];
  server.use(
    http.get('*/uploads/:name/pages/:size/:page', ({ request }) => {
      const signature = new URL(request.url).searchParams.get('s')!;
      links.push(signature);
      if (signature === 'signature1') {
        const body = { status: 0, code: 'no_such_address', message: 'There is nothing here' };
        return HttpResponse.json(body, { status: 404 });
      }
      return pageImage('screen/1', 1);
    }),
  );
  await openOrder(() => ({
    documents: [
      storedFile('bank_statement', { link: linkTo('bank_statement.pdf', `signature${++asked}`) }),
    ],
  }));
  expect(await viewer().findByRole('img')).toBeVisible();
  expect(links).toEqual(['signature1', 'signature2']);
});

test('missing documents are named in the viewer', async () => {
  await openOrder({ required_documents: [asked('bank_statement', false)] });
  expect(viewer().getByText('No documents are on file')).toBeVisible();
  expect(viewer().getByText('1 required document is missing:').parentElement).toHaveTextContent(
    '1 required document is missing: Bank statement (minimum USD 2000)',
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

test('a saved comment reloads the order and not the page on the screen', async () => {
  const fetched = answerPages(1);
  let details = 0;
  server.use(post('/api/admin/add-new-remark', () => success({ data: {} as never }, 'Saved')));
  const user = await openOrder(() => {
    details += 1;
    return { documents: [statement] };
  });
  await viewer().findByRole('img');
  const before = { fetched: fetched.length, details };
  await user.type(screen.getByRole('textbox', { name: 'Add Comment Below' }), 'Called');
  await user.click(screen.getByRole('button', { name: 'Save Comment' }));
  expect(await screen.findByText('Saved')).toBeVisible();
  await waitFor(() => expect(details).toBeGreaterThan(before.details));
  expect(fetched).toHaveLength(before.fetched);
});
