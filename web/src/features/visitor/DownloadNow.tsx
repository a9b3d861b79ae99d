import { useEffect, useState } from 'react';
import { downloadVisa, type VisaLink } from '@/api/visitorCalls';
import { useTexts } from '@/i18n/texts';
import { failureText } from './failureText';
import { Toast } from './Toast';
import { isSignedOut } from './useVisitorOrder';

/** Leaves time to open the link before it ends. */
const MARGIN_S = 30;

interface DownloadNowProps {
  orderId: number;
  file1: string;
  /** Called when the server has recorded a download. */
  onRecorded: () => void;
  onAccessLost: () => void;
}

/** The one button that gives the visa. Each click is one recorded download. */
export function DownloadNow({ orderId, file1, onRecorded, onAccessLost }: DownloadNowProps) {
  const locale = useTexts();
  const { texts } = locale;
  const [isBusy, setBusy] = useState(false);
  const [link, setLink] = useState<VisaLink | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isToastOpen, setToastOpen] = useState(false);

  useEffect(() => {
    if (link === null) return;
    const timer = setTimeout(() => setLink(null), (link.validForSeconds - MARGIN_S) * 1000);
    return () => clearTimeout(timer);
  }, [link]);

  const download = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    setToastOpen(false);
    try {
      const visa = await downloadVisa(orderId, file1);
      setLink(visa);
      open(visa.address);
      onRecorded();
    } catch (error) {
      if (isSignedOut(error)) {
        onAccessLost();
        return;
      }
      setFailure(error);
      setToastOpen(true);
    } finally {
      setBusy(false);
    }
  };

  const message = failure === null ? '' : failureText(failure, locale);
  return (
    <div className="download">
      <button
        type="button"
        className="primary"
        aria-disabled={isBusy}
        onClick={() => void download()}
      >
        {isBusy ? texts.downloading : texts.downloadNow}
      </button>
      <p className="refusal" hidden={!message}>
        {message}
      </p>
      <p className="started" role="status">
        {link !== null && (
          <>
            <span>{texts.downloadStarted}</span>{' '}
            <a href={link.address} target="_blank" rel="noreferrer">
              {texts.openFile}
            </a>
          </>
        )}
      </p>
      {isToastOpen && <Toast message={message} onClose={() => setToastOpen(false)} />}
    </div>
  );
}

/** Hands the file to the browser, under the name that the server gives it; another host's file opens beside this page. */
function open(address: string): void {
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = '';
  anchor.rel = 'noreferrer';
  if (anchor.origin !== location.origin) anchor.target = '_blank';
  anchor.click();
}
