import { SecondFactor } from '@/features/auth/SecondFactor';
import { SessionList } from '@/features/auth/SessionList';
import { ScreenTitle } from '@/ui/ListScreen';

export function SecurityPage() {
  return (
    <div>
      <ScreenTitle>Sign-in Security</ScreenTitle>
      <SecondFactor>
        <SessionList />
      </SecondFactor>
    </div>
  );
}
