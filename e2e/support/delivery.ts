/** A server that mails through a real SMTP server and stores files in a folder or on a real S3 server. */

import { Mailbox } from './mailbox.ts';
import { ObjectStore } from './objectStore.ts';
import { test as base } from './test.ts';

export interface DeliveryOptions {
  files: 'folder' | 's3';
}

interface DeliveryFixtures {
  mailbox: Mailbox;
  /** Undefined when files are stored in a folder. */
  objectStore: ObjectStore | undefined;
}

export const test = base.extend<DeliveryOptions & DeliveryFixtures>({
  files: ['folder', { option: true }],

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs: here nothing
  mailbox: async ({}, use) => {
    const mailbox = await Mailbox.open();
    await use(mailbox);
    await mailbox.close();
  },

  objectStore: async ({ files }, use) => {
    const store = files === 's3' ? await ObjectStore.open() : undefined;
    await use(store);
    await store?.close();
  },

  settings: async ({ mailbox, objectStore }, use) =>
    use({
      VISADESK_MAIL__AWS: mailbox.url('aws'),
      VISADESK_MAIL__SENDGRID: mailbox.url('sendgrid'),
      ...objectStore?.settings,
    }),
});
