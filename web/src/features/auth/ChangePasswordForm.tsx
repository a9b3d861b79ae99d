import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ApiError, messageOf } from '@/api/ApiError';
import { answer, api } from '@/api/client';
import { removeLogin } from '@/api/storedLogin';
import { auth } from '@/app/auth';
import { paths } from '@/app/paths';
import { Form } from '@/ui/Form';
import { notify } from '@/ui/notify';
import { PasswordField } from '@/ui/PasswordField';

const newPassword = z.object({
  newPassword: z
    .string()
    .check(
      z.minLength(1, 'Please enter your New Password'),
      z.minLength(6, 'New Password must be at least 6 characters'),
    ),
});

/** A new password for whoever is signed in. It ends all their sessions, this one too. */
export function ChangePasswordForm() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { register, handleSubmit, formState } = useForm<z.infer<typeof newPassword>>({
    mode: 'all',
    resolver: zodResolver(newPassword),
    defaultValues: { newPassword: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    try {
      const { message } = await answer(api.POST('/api/admin/change-password', { body }));
      notify.success(message);
      removeLogin();
      auth.logout();
      queries.clear();
      await navigate(paths.signIn);
    } catch (error) {
      // That the session ended is told where it is noticed.
      if (!(error instanceof ApiError && error.code === 401)) notify.error(messageOf(error));
    }
  });
  return (
    <Form
      label="Update Password"
      card
      busy={isSubmitting}
      onSubmit={submit}
      buttons={
        <button type="submit" className="button" data-kind="primary" aria-disabled={isSubmitting}>
          Update Password
        </button>
      }
    >
      <PasswordField
        label="Enter New Password"
        autoComplete="new-password"
        error={errors.newPassword?.message}
        hint="You are signed out everywhere, and sign in again with the new password."
        {...register('newPassword')}
      />
    </Form>
  );
}
