import { ChangePasswordForm } from '@/features/auth/ChangePasswordForm';
import { ScreenTitle } from '@/ui/ListScreen';

export function ChangePasswordPage() {
  return (
    <div>
      <ScreenTitle>Update Password</ScreenTitle>
      <ChangePasswordForm />
    </div>
  );
}
