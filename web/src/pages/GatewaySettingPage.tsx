import { GatewaySetting } from '@/features/gateway/GatewaySetting';
import { ScreenTitle } from '@/ui/ListScreen';

export function GatewaySettingPage() {
  return (
    <div>
      <ScreenTitle>Change Gateway</ScreenTitle>
      <GatewaySetting />
    </div>
  );
}
