import { useMe } from '@/session/me';
import { PhoneOrder } from '@/features/order/byPhone/PhoneOrder';
import { ListNotice } from '@/ui/ListNotice';
import { ScreenTitle } from '@/ui/ListScreen';

/** An order that a customer makes by phone. */
export function NewPhoneOrderPage() {
  const { may } = useMe();
  return (
    <div>
      <ScreenTitle>Add order by phone</ScreenTitle>
      {may.add_phone_orders ? (
        <PhoneOrder />
      ) : (
        <ListNotice text="You cannot add orders by phone. Please ask a colleague of the day shift." />
      )}
    </div>
  );
}
