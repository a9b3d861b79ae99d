import { AccessLog } from '@/features/audit/AccessLog';
import { useMe } from '@/session/me';
import { folderTitle } from '@/features/order/folders';

export function AccessLogPage() {
  return <AccessLog me={useMe()} folderTitle={folderTitle} />;
}
