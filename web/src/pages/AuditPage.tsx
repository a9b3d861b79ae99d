import { AuditList } from '@/features/audit/AuditList';
import { useMe } from '@/session/me';

export function AuditPage() {
  return <AuditList me={useMe()} />;
}
