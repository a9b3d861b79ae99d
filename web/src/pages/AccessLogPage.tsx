import { AccessLog } from '@/features/audit/AccessLog';
import { useMe } from '@/features/auth/me';

export function AccessLogPage() {
  return <AccessLog me={useMe()} />;
}
