import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TeamMember } from '@/api/types';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Field, SelectField } from '@/ui/Field';
import { RowForm, SubmitButton } from '@/ui/Form';
import { PasswordField } from '@/ui/PasswordField';
import { knownMember, type MemberFields, newMember, NO_MEMBER } from './memberFields';
import { memberTypesQuery } from './teamQueries';

const UNSTORED = { password: 'Enter the password again.' };

interface MemberFormProps {
  /** Undefined: the form adds a member. */
  memberId?: number;
  /** The edited member, once loaded. */
  member?: TeamMember;
  /** Returns whether it succeeded. */
  onSave: (fields: MemberFields) => Promise<boolean>;
  /** Shown beside Submit. */
  beside?: ReactNode;
}

export function MemberForm({ memberId, member, onSave, beside }: MemberFormProps) {
  const isNew = memberId === undefined;
  const types = useQuery(memberTypesQuery);
  const form = useDraftedForm<MemberFields>({
    name: 'member',
    about: memberId ?? 'new',
    schema: isNew ? newMember : knownMember,
    saved: member
      ? { ...NO_MEMBER, name: member.name, email: member.email, type: member.type }
      : NO_MEMBER,
    unstored: UNSTORED,
  });
  const { register, handleSubmit, watch, resetTo, restored, formState } = form;
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (fields) => {
    if (await onSave(fields)) resetTo(NO_MEMBER);
  });
  const isLoading = !isNew && !member;
  const label = isNew ? 'Add Team Member' : `Edit ${member?.name ?? 'Team Member'}`;
  // The chosen type is offered even if the user may not assign it, or the types are not there yet.
  const chosen = watch('type');
  const offered = new Set<string>(types.data);
  for (const type of [member?.type, chosen]) if (type) offered.add(type);
  return (
    <RowForm
      aria-label={label}
      card
      busy={isSubmitting || isLoading}
      restored={restored}
      onSubmit={submit}
      buttons={
        <>
          <SubmitButton>Submit</SubmitButton>
          {beside}
        </>
      }
    >
      <Field label="Name" readOnly={isLoading} error={errors.name?.message} {...register('name')} />
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
        error={errors.email?.message}
        {...register('email')}
      />
      <SelectField
        label="Member Type"
        options={[...offered].map((type) => [type, type])}
        error={errors.type?.message ?? types.error?.message}
        {...register('type')}
        value={chosen}
      >
        <option value="">Select type</option>
      </SelectField>
    </RowForm>
  );
}
