import type { Download, VisitorOrder } from '@/api/visitorCalls';
import { DownloadedHistory } from './DownloadedHistory';
import { Timeline } from './Timeline';

interface OrderRecordProps {
  steps: VisitorOrder['timeline'];
  downloads: Download[];
}

/** The past of the order, and the downloads of its visa. */
export function OrderRecord({ steps, downloads }: OrderRecordProps) {
  return (
    <>
      <Timeline steps={steps} />
      <DownloadedHistory downloads={downloads} />
    </>
  );
}
