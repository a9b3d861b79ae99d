import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { answer, api } from '@/api/client';
import { RowForm, SubmitButton } from '@/ui/Form';
import { notifyFailure } from '@/session/notifyFailure';
import { MIN_PASSWORD_CHARACTERS } from '@/session/passwordLength';
import { clearSession } from '@/session/session';
import { ScreenTitle } from '@/ui/ListScreen';
import { notify } from '@/ui/notify';
import { PasswordField } from '@/ui/PasswordField';

const newPassword = z.object({
  newPassword: z
    .string()
    .check(
      z.minLength(1, 'Please enter your New Password'),
      z.minLength(
        MIN_PASSWORD_CHARACTERS,
        `New Password must be at least ${MIN_PASSWORD_CHARACTERS} characters`,
      ),
    ),
});

/** Changes the password of the signed-in member. The server then ends all their sessions, this one too. */
export function ChangePasswordForm() {
  const { register, handleSubmit, formState } = useForm<z.infer<typeof newPassword>>({
    mode: 'all',
    resolver: zodResolver(newPassword),
    defaultValues: { newPassword: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    try {
      const { message } = await answer(api.POST('/api/admin/change-password', { body }));
      clearSession();
      notify.success(message);
    } catch (error) {
      notifyFailure(error);
    }
  });
  return (
    <div>
      <ScreenTitle>Update Password</ScreenTitle>
      <RowForm
        aria-label="Update Password"
        card
        busy={isSubmitting}
        onSubmit={submit}
        buttons={<SubmitButton>Update Password</SubmitButton>}
      >
        <PasswordField
          label="Enter New Password"
          autoComplete="new-password"
          error={errors.newPassword?.message}
          hint="This signs you out everywhere. Sign in again with the new password."
          {...register('newPassword')}
        />
      </RowForm>
    </div>
  );
}
