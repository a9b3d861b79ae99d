import { AccessLog } from '@/features/audit/AccessLog';
import { folderTitle } from '@/features/order/folders';

export function AccessLogPage() {
  return <AccessLog folderTitle={folderTitle} />;
}
