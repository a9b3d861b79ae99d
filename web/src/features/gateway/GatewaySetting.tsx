import { zodResolver } from '@hookform/resolvers/zod';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { answer, api, dataOf } from '@/api/client';
import type { PaymentGateway } from '@/api/types';
import { SelectField } from '@/ui/Field';
import { RowForm, SubmitButton } from '@/ui/Form';
import { ListNotice } from '@/ui/ListNotice';
import { ScreenTitle } from '@/ui/ListScreen';
import { useChange } from '@/session/useChange';

const gatewaysQuery = queryOptions({
  queryKey: ['gateway', 'list'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/payment-gateways', { signal })),
});

const choice = z.object({
  gateway: z.string().check(z.minLength(1, 'Please select gateway')),
});

/** Which gateway takes the payments. */
export function GatewaySetting() {
  const { data: gateways, error, refetch } = useQuery(gatewaysQuery);
  return (
    <div>
      <ScreenTitle>Change Gateway</ScreenTitle>
      {gateways && <GatewayForm gateways={gateways} />}
      {!gateways && error && <ListNotice text={error.message} onRetry={() => void refetch()} />}
    </div>
  );
}

function GatewayForm({ gateways }: { gateways: readonly PaymentGateway[] }) {
  const { send } = useChange({
    run: (gatewayId: number) =>
      answer(api.POST('/api/admin/payment-gateway-setting', { body: { gatewayId } })),
    stale: gatewaysQuery.queryKey,
    waits: true,
  });
  const active = gateways.find(({ is_active }) => is_active === '1');
  const { register, handleSubmit, formState } = useForm<z.infer<typeof choice>>({
    mode: 'all',
    resolver: zodResolver(choice),
    values: { gateway: active ? String(active.id) : '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ gateway }) => {
    await send(Number(gateway));
  });
  return (
    <RowForm
      aria-label="Change Gateway"
      card
      busy={isSubmitting}
      onSubmit={submit}
      buttons={<SubmitButton>Active Gateway</SubmitButton>}
    >
      <SelectField
        label="Gateway"
        options={gateways.map(({ id, gateway_name, is_active }) => [
          id,
          is_active === '1' ? `${gateway_name} (active)` : gateway_name,
        ])}
        error={errors.gateway?.message}
        hint={
          active &&
          `Payments go through ${active.gateway_name} now. Orders keep the gateway that they were paid with.`
        }
        {...register('gateway')}
      >
        <option value="">Select gateway</option>
      </SelectField>
    </RowForm>
  );
}
