import { Button, type ButtonKind } from '@/ui/Button';
import { TAKE_KEY } from './orderActions';
import { useTakeNext } from './useTakeNext';

export function TakeNext({ kind }: { kind?: ButtonKind | undefined }) {
  const { takeNext, busy } = useTakeNext();
  return (
    <Button kind={kind} busy={busy} aria-keyshortcuts={TAKE_KEY} onClick={takeNext}>
      Take next
    </Button>
  );
}
