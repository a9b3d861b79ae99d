import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import type { TeamMember } from '@/api/types';
import { Button } from '@/ui/Button';
import { Field, SelectField } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { PasswordField } from '@/ui/PasswordField';
import { knownMember, type MemberFields, newMember, NO_MEMBER } from './memberFields';
import { memberTypesQuery } from './teamQueries';

interface MemberFormProps {
  /** The form adds a member. */
  isNew?: boolean;
  /** The edited member, once loaded. */
  member?: TeamMember;
  /** Returns whether it succeeded. */
  onSave: (fields: MemberFields) => Promise<boolean>;
  /** Shown beside Submit. */
  beside?: ReactNode;
}

/** The form of a team member. */
export function MemberForm({ isNew = false, member, onSave, beside }: MemberFormProps) {
  const types = useQuery(memberTypesQuery);
  const { register, handleSubmit, reset, formState } = useForm<MemberFields>({
    mode: 'all',
    resolver: zodResolver(isNew ? newMember : knownMember),
    defaultValues: NO_MEMBER,
    values: member && { ...NO_MEMBER, name: member.name, email: member.email, type: member.type },
    // Refetched values replace all fields but the edited ones.
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (fields) => {
    if (await onSave(fields)) reset(NO_MEMBER, { keepDirtyValues: false });
  });
  const isLoading = !isNew && !member;
  const label = isNew ? 'Add Team Member' : `Edit ${member?.name ?? 'Team Member'}`;
  // The member's current type is offered even if the user may not assign it.
  const offered = new Set(types.data);
  if (member) offered.add(member.type);
  return (
    <Form
      label={label}
      card
      busy={isSubmitting || isLoading}
      onSubmit={submit}
      buttons={
        <>
          <Button type="submit" kind="primary" busy={isSubmitting}>
            Submit
          </Button>
          {beside}
        </>
      }
    >
      <Field
        label="Name"
        autoComplete="off"
        readOnly={isLoading}
        error={errors.name?.message}
        {...register('name')}
      />
      <PasswordField
        label="Password"
        readOnly={isLoading}
        autoComplete="new-password"
        placeholder={member?.password}
        error={errors.password?.message}
        hint={!isNew && 'Leave it empty to keep the password.'}
        {...register('password')}
      />
      <Field
        label="Email ID"
        type="email"
        readOnly={isLoading}
        autoComplete="off"
        error={errors.email?.message}
        {...register('email')}
      />
      <SelectField
        label="Member Type"
        error={errors.type?.message ?? types.error?.message}
        {...register('type')}
      >
        <option value="">Select type</option>
        {[...offered].map((type) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
    </Form>
  );
}
