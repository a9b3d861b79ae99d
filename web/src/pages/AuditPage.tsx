import { AuditList } from '@/features/audit/AuditList';
import { useMe } from '@/features/auth/me';

export function AuditPage() {
  return <AuditList me={useMe()} />;
}
