import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import type { TeamMember } from '@/api/types';
import { Field, SelectField } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { knownMember, type MemberFields, newMember, NO_MEMBER } from './memberForm';
import { memberTypesQuery } from './teamQueries';

interface MemberFormProps {
  /** Who is changed; without one, somebody is added. */
  member?: TeamMember;
  /** Answers whether it was done. */
  onSave: (fields: MemberFields) => Promise<boolean>;
  /** What stands beside Submit. */
  beside?: ReactNode;
}

/** What a member of the team is. */
export function MemberForm({ member, onSave, beside }: MemberFormProps) {
  const types = useQuery(memberTypesQuery);
  const { register, handleSubmit, reset, formState } = useForm<MemberFields>({
    mode: 'all',
    resolver: zodResolver(member ? knownMember : newMember),
    defaultValues: NO_MEMBER,
    values: member && { ...NO_MEMBER, name: member.name, email: member.email, type: member.type },
    // What somebody else changed meanwhile comes in, what was typed here stays.
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (fields) => {
    if (await onSave(fields)) reset(NO_MEMBER, { keepDirtyValues: false });
  });
  // The type that the member has is shown even to who may not give it.
  const offered = new Set(types.data);
  if (member) offered.add(member.type);
  return (
    <Form
      label={member ? `Edit ${member.name}` : 'Add Team Member'}
      card
      busy={isSubmitting}
      onSubmit={submit}
      buttons={
        <>
          <button type="submit" className="button" data-kind="primary" aria-disabled={isSubmitting}>
            Submit
          </button>
          {beside}
        </>
      }
    >
      <Field label="Name" autoComplete="off" error={errors.name?.message} {...register('name')} />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        placeholder={member?.password}
        error={errors.password?.message}
        hint={member && 'Leave it empty to keep the password.'}
        {...register('password')}
      />
      <Field
        label="Email ID"
        type="email"
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
