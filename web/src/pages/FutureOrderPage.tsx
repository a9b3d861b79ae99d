import { useNavigate, useSearchParams } from 'react-router';
import { paths } from '@/paths/staffPaths';
import { useMe } from '@/session/me';
import { useListSettings } from '@/features/auth/useListSettings';
import { folders } from '@/features/order/folders';
import { FutureMonths, isMonth } from '@/features/order/FutureMonths';
import { OrderList } from '@/features/order/OrderList';
import { ButtonLink } from '@/ui/Button';
import { useToday } from '@/ui/useToday';

/** Twelve months, and the orders of the one that was chosen. */
export function FutureOrderPage() {
  const me = useMe();
  const onSettings = useListSettings();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const asked = Number(search.get('year'));
  const thisYear = Number(useToday(me.agency_time_zone).slice(0, 4));
  const year = Number.isInteger(asked) && asked > 0 ? asked : thisYear;
  const month = search.get('month');
  if (!isMonth(month)) {
    return (
      <FutureMonths
        year={year}
        mayExport={me.may.export_csv}
        onYear={(year) => void navigate(paths.futureYear(year))}
      />
    );
  }
  return (
    <OrderList
      key={`${month} ${year}`}
      folder={folders.futureOrder}
      me={me}
      onSettings={onSettings}
      month={{ month, year }}
      before={
        <ButtonLink small to={paths.futureYear(year)}>
          <span aria-hidden="true">←</span> Back
        </ButtonLink>
      }
    />
  );
}
