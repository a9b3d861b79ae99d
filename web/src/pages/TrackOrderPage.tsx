import { TrackForm } from '@/features/visitor/TrackForm';
import { useTexts } from '@/i18n/texts';

interface TrackOrderPageProps {
  orderId: number | null;
  isAgain: boolean;
  onFound: (orderId: number | null) => void;
}

export function TrackOrderPage({ orderId, isAgain, onFound }: TrackOrderPageProps) {
  const { texts } = useTexts();
  return (
    <div className="narrow">
      {isAgain && (
        <p className="banner" role="status">
          {texts.confirmAgain}
        </p>
      )}
      <h1 tabIndex={-1}>{texts.trackHeading}</h1>
      <p className="soft">{texts.trackLead}</p>
      <TrackForm orderId={orderId} onFound={onFound} />
    </div>
  );
}
