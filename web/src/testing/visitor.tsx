import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Download, DownloadHistory, VisitorOrder } from '@/api/visitorCalls';
import type { Language } from '@/i18n/languages';
import { textsIn } from '@/i18n/texts';
import { VisitorApp } from '@/visitor/VisitorApp';

/** The marketing site of these tests. */
export const SITE = 'https://agency.example';

/** Opens a public page as the server serves it, in a language. */
export async function openVisitorPage(path: string, language: Language = 'en') {
  history.replaceState(null, '', path);
  const page = path.startsWith('/track-order') ? 'track-order' : 'download';
  render(
    <VisitorApp page={page} language={language} texts={await textsIn(language)} site={SITE} />,
  );
  return userEvent.setup();
}

export function download(fields: Partial<Download> = {}): Download {
  return {
    order_id: 100001,
    create_ts: '2026-07-01T12:00:00Z',
    ip: '203.0.113.24',
    device: 'iPhone',
    device_type: 'mobile',
    browser: 'Safari',
    os: 'iOS',
    location: 'Australia',
    automated: false,
    ...fields,
  };
}

/** The server's answer for an order whose visa is issued. */
export function readyOrder(
  data: Download[] = [],
  fields: Partial<VisitorOrder> = {},
): DownloadHistory {
  return {
    status: 1,
    message: '',
    data,
    total: data.length,
    mainResult: {
      order_id: 100001,
      order_number: 'VD-100001',
      full_name: 'Wilhelmina Okonkwo',
      stage: 'ready',
      timeline: [
        { stage: 'received', at: '2026-11-16T01:00:00Z' },
        { stage: 'ready', at: '2026-11-20T07:05:00Z' },
      ],
      needs: [],
      asked: null,
      missing: [],
      papers_complete: false,
      ...fields,
    },
    path: { file1: 'uploads/0123456789abcdef0123456789abcdef.pdf' },
  };
}
