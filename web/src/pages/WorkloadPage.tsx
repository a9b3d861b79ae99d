import { Workload } from '@/features/order/workload/Workload';
import { useMe } from '@/session/me';

/** The open orders of each member of the team. */
export function WorkloadPage() {
  return <Workload me={useMe()} />;
}
