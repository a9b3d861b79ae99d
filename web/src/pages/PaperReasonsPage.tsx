import { useMe } from '@/session/me';
import { PaperReasons } from '@/features/order/paperReasons/PaperReasons';
import { ListNotice } from '@/ui/ListNotice';

/** The reasons with which staff ask applicants for papers, which Admins change. */
export function PaperReasonsPage() {
  const { may } = useMe();
  return may.edit_paper_reasons ? (
    <PaperReasons />
  ) : (
    <ListNotice text="Only Admins change the reasons for documents. Please ask one." />
  );
}
