import type { Chargeback, ChargebackTerms, DefencePack, DefencePackDetails } from '@/api/types';
import { get, post, server, success } from './server';

/** A chargeback as the detail shows it. */
export function chargebackOf(fields: Partial<Chargeback> = {}): Chargeback {
  return {
    network: 'Visa',
    reason_group: null,
    reason_code: null,
    case_id: null,
    amount: '119.00',
    currency: 'USD',
    arn: null,
    opened_on: '2026-11-18',
    respond_by: '2026-12-18',
    working_deadline: '2026-11-25',
    days_left: 5,
    urgency: 'Soon',
    outcome: 'Open',
    updated_by: 'import',
    updated_at: '2026-11-18T02:41:07Z',
    ...fields,
  };
}

const terms: ChargebackTerms = {
  networks: [
    { network: 'Visa', days: 30 },
    { network: 'Mastercard', days: 45 },
    { network: 'PayPal', days: 5 },
  ],
  reason_groups: ['Fraud', 'Not received'],
  outcomes: ['Open', 'Won', 'Lost', 'Accepted'],
  working_days: 7,
};

/** The pack details of order 100234. */
export function packDetails(fields: Partial<DefencePackDetails> = {}): DefencePackDetails {
  return {
    order_id: 100234,
    order_number: 'VD-100234',
    evidence: [
      { code: 'payment', label: 'Payment', given: true, detail: 'USD 119.00, Visa 4242' },
      { code: 'purchase_ip', label: 'Purchase IP', given: false, detail: null },
    ],
    missing: ['Purchase IP'],
    downloads: { customer: 3, left_out: 1 },
    mails: 1,
    ce3: { eligible: false, why: 'There is no earlier order of this customer.', priors: [] },
    packs: [],
    links_valid_for_seconds: 300,
    ...fields,
  };
}

/** A generated pack. */
export function packOf(fields: Partial<DefencePack> = {}): DefencePack {
  return {
    pack_id: 1,
    pack_type: 1,
    file_name: 'DP1100234.pdf',
    pages: 3,
    size_bytes: 84_000,
    sha256: 'a'.repeat(64),
    made_by: 'Ayu Lestari',
    made_at: '2026-11-20T02:01:07Z',
    link: 'uploads/pack.pdf?e=1763606467&s=signature',
    ...fields,
  };
}

/** Serves the requests of the dispute sections. */
export function answerDisputes(details: () => DefencePackDetails = packDetails): void {
  server.use(
    get('/api/admin/chargeback-terms', () => success({ data: terms })),
    post('/api/admin/defence-pack-details', () => success({ data: details() })),
  );
}
