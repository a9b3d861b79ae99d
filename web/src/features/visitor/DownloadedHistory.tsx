import type { ReactNode } from 'react';
import type { Download } from '@/api/visitorCalls';
import { type Texts, useTexts } from '@/i18n/texts';
import { counted } from '@/i18n/formatRecord';
import { Interpolate } from '@/i18n/Interpolate';
import { usDateAndTimeEst } from '@/ui/times';
import { LeftToRight } from './LeftToRight';
import { countryIn, deviceWordIn } from './recordedWords';
import './DownloadedHistory.css';

/** Named in English everywhere: its licence asks for these words. */
const SOURCE = (
  <a href="https://db-ip.com" rel="noreferrer" lang="en" translate="no">
    IP Geolocation by DB-IP
  </a>
);

interface Row extends Download {
  number: number;
}

/** The columns, by the keys of their headings. */
const COLUMNS = [
  ['number', ({ number }) => <LeftToRight>{number}</LeftToRight>],
  ['orderId', ({ order_id }) => <LeftToRight>{order_id}</LeftToRight>],
  [
    'dateAndTime',
    ({ create_ts }) => (
      <time dateTime={create_ts}>
        <LeftToRight>{`${usDateAndTimeEst(create_ts)} EST`}</LeftToRight>
      </time>
    ),
  ],
  ['deviceIp', ({ ip }) => <LeftToRight>{ip}</LeftToRight>],
  ['device', (row) => <Device {...row} />],
  ['deviceType', ({ device_type }) => <Recorded>{device_type}</Recorded>],
  ['browser', ({ browser }) => <Recorded>{browser}</Recorded>],
  ['os', ({ os }) => <Recorded>{os}</Recorded>],
  ['location', ({ location }) => <Recorded>{location}</Recorded>],
] as const satisfies [keyof Texts, (row: Row) => ReactNode][];

/** The downloads of the visa: by whom, when, where and with what. On a phone each row is a card. */
export function DownloadedHistory({ downloads }: { downloads: Download[] }) {
  const { language, texts } = useTexts();
  const rows: Row[] = downloads.map((download, at) => ({ ...download, number: at + 1 }));
  return (
    <section className="history" aria-labelledby="history">
      <h2 id="history">{texts.history}</h2>
      <p className="soft">{texts.historyNote}</p>
      {rows.length === 0 ? (
        <p className="card note">{texts.noDownloads}</p>
      ) : (
        <>
          <div className="card scroll">
            <table role="table">
              <caption className="unseen">
                {counted(texts.downloads, rows.length, language)}
              </caption>
              <thead role="rowgroup">
                <tr role="row">
                  {COLUMNS.map(([head]) => (
                    <th key={head} scope="col" role="columnheader">
                      {texts[head]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody role="rowgroup">
                {rows.map((row) => (
                  <tr role="row" key={row.number}>
                    {COLUMNS.map(([head, cell]) => (
                      <td key={head} role="cell" data-head={texts[head]}>
                        {cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="soft">
            <Interpolate text={texts.locationSource} values={{ source: SOURCE }} />
          </p>
        </>
      )}
    </section>
  );
}

/** The word for a thing or a country in the reader's language, or the name as it was recorded. */
function Recorded({ children }: { children: string }) {
  const { language } = useTexts();
  const known = countryIn(children, language) ?? deviceWordIn(children, language);
  return known === undefined ? <bdi lang="en">{children}</bdi> : <bdi>{known}</bdi>;
}

/** The device, and a note if its user agent is that of a mail scanner or a link preview. */
function Device({ device, automated }: Download) {
  const { texts } = useTexts();
  return (
    <span>
      <Recorded>{device}</Recorded>
      {automated && <small className="soft automated">{texts.automated}</small>}
    </span>
  );
}
