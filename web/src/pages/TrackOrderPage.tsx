import { TrackForm } from '@/features/visitor/TrackForm';
import { failureText } from '@/features/visitor/failureText';
import { useTexts } from '@/i18n/texts';

interface TrackOrderPageProps {
  orderId: number | null;
  isAgain: boolean;
  isCode: boolean;
  /** The key of a mailed link is being checked. */
  isOpening: boolean;
  /** Why the key of a mailed link did not open the order; null if it did, or if there was none. */
  linkFailure: unknown;
  onCode: (orderId: number | null, isCode: boolean) => void;
  onFound: (orderId: number | null) => void;
}

export function TrackOrderPage({ isAgain, isOpening, linkFailure, ...form }: TrackOrderPageProps) {
  const locale = useTexts();
  const { texts } = locale;
  const failure = linkFailure === null ? '' : failureText(linkFailure, locale);
  const news = isOpening ? texts.loading : failure || (isAgain && texts.confirmAgain);
  return (
    <div className="narrow">
      {news && (
        <p className="banner" role="status">
          {news}
        </p>
      )}
      <h1 tabIndex={-1}>{form.isCode ? texts.code : texts.trackHeading}</h1>
      <p className="soft">{texts.trackLead}</p>
      <TrackForm {...form} />
    </div>
  );
}
