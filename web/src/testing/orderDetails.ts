import type { components } from '@/api/schema';
import type { OrderDetails, RequiredDocument, SentMail, StoredFile } from '@/api/types';
import { allowedOnDetail } from './allowed';
import { get, refusal, server, success } from './server';

/** An order as its detail shows it. */
export function detailsOf(id: number, fields: Partial<OrderDetails> = {}): OrderDetails {
  return {
    order_id: id,
    order_number: `VD-${id}`,
    process_status: 'Awaiting',
    processing_mode: 'Regular Processing',
    created_at: '2026-11-18T02:41:07Z',
    updated_at: '2026-11-19T02:30:58.123456Z',
    assign_to: null,
    application_email_address: `${id}@applications.example`,
    contact_email_address: 'emily.clarke@post.example',
    user: { email: null },
    full_name: 'emily_rose_clarke',
    date_of_birth: '1990-04-12',
    country_code: '44',
    phone_number: '7700 904411',
    language: 'en',
    telephone: { shown: '+44 7700 904411', dialled: '+447700904411', digits: '447700904411' },
    originals: {},
    kept_values: [],
    visa_type: 'C1',
    issued_type: {
      code: 'C1',
      label: 'Tourism Visit, Single Entry',
      entry: 'single',
      stay_days: 60,
      unlimited_stay: false,
      window: null,
      first_day: null,
    },
    stay_day: 60,
    visa_warnings: [],
    documents: [],
    required_documents: [],
    uploadDoc: [],
    mailHistory: [],
    mailTotal: fields.mailHistory?.length ?? 0,
    downloadHistory: [],
    downloadTotal: fields.downloadHistory?.length ?? 0,
    failed_tries: [],
    failed_tries_total: fields.failed_tries?.length ?? 0,
    remark: [],
    remark_total: fields.remark?.length ?? 0,
    refund_marks: [],
    timeline: [],
    older: {},
    allowed: allowedOnDetail(),
    mail_providers: ['AWS', 'Sendgrid'],
    visa_upload_limits: {
      max_bytes: 20 * 1024 * 1024,
      media_types: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    },
    links_valid_for_seconds: 300,
    ...fields,
  };
}

const LABELS: Record<string, string> = {
  passport_picture: 'Passport',
  upload_picture: 'Recent colour photograph',
  bank_statement: 'Bank statement (minimum USD 2000)',
  guarantor_letter: 'Guarantor letter',
  curriculum_vitae: 'Curriculum vitae',
};

export function storedFile(kind: string, fields: Partial<StoredFile> = {}): StoredFile {
  const file1 = fields.file1 ?? `${kind}.pdf`;
  return {
    kind,
    label: LABELS[kind] ?? kind,
    file1,
    link: linkTo(file1),
    original_name: `${kind}.pdf`,
    media_type: 'application/pdf',
    size_bytes: 4816,
    created_at: '2026-11-18T02:41:07Z',
    ...fields,
  };
}

/** A document that a visa type requires. */
export function asked(
  kind: string,
  given: boolean,
  fields: Partial<RequiredDocument> = {},
): RequiredDocument {
  const catalogueKeys: Record<string, string> = {
    passport_picture: 'passport',
    upload_picture: 'recent_photo',
  };
  const catalogue_key = catalogueKeys[kind] ?? kind;
  return { kind, catalogue_key, label: LABELS[kind] ?? kind, required: true, given, ...fields };
}

/** A signed link. */
export function linkTo(file1: string, signature = 'signature'): string {
  return `uploads/${file1}?e=1763606467&s=${signature}`;
}

/** A mail as the history shows it. */
export function sentMail(fields: Partial<SentMail> = {}): SentMail {
  return {
    id: 1,
    order_id: 100234,
    create_ts: '2026-11-20T02:01:07Z',
    kind: 'approval',
    email: 'emily.clarke@post.example',
    subject: 'Your visa is ready',
    sent_by: 'Ayu Lestari',
    state: 'sent',
    failure: null,
    attempts: [],
    uploadDoc: { file1: null, link: null, mail_service_provider: 'AWS' },
    ...fields,
  };
}

type Download = OrderDetails['downloadHistory'][number];

/** A download of the issued visa. */
export function download(fields: Partial<Download> = {}): Download {
  return {
    id: 1,
    order_id: 100234,
    create_ts: '2026-07-01T03:00:00Z',
    ip: '203.0.113.9',
    timezone: 'Australia',
    browser: 'iPhone-Mobile-Safari',
    os: 'iOS',
    device: 'iPhone',
    device_type: 'Mobile',
    location: 'Australia',
    location_as_of: '2026-11-01',
    automated: false,
    file1: 'abc.pdf',
    link: linkTo('abc.pdf'),
    ...fields,
  };
}

export const DETAILS = '/api/admin/get-orders-details/:orderId';

/** The details as the contract has them: with the file names that no test needs. */
type Answered = components['schemas']['OrderDetails'];

/** Serves the details of an order in its state at the time of the call. Other orders do not exist. */
export function answerDetails(order: (orderId: number) => OrderDetails): void {
  server.use(
    get(DETAILS, ({ params }) => {
      const data = order(Number(params['orderId']));
      const isAsked = String(data.order_id) === params['orderId'];
      return isAsked
        ? success({ data: data as Answered })
        : refusal(404, 'There is no such order', 'unknown_order');
    }),
  );
}
