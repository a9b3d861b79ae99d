import { useMe } from '@/session/me';
import { SecondFactor } from '@/features/auth/SecondFactor';
import { SessionList } from '@/features/auth/SessionList';
import { ScreenTitle } from '@/ui/ListScreen';

export function SecurityPage() {
  const { agency_time_zone: zone } = useMe();
  return (
    <div>
      <ScreenTitle>Sign-in Security</ScreenTitle>
      <SecondFactor zone={zone}>
        <SessionList zone={zone} />
      </SecondFactor>
    </div>
  );
}
