import type { Folder } from '@/features/order/folders';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { KEY_HELP, keyText } from '@/ui/keys';
import { useShortcutSwitch } from '@/ui/storedSwitch';
import classes from './ShortcutsDialog.module.css';

interface ShortcutsDialogProps {
  folders: readonly Folder[];
  onClose: () => void;
}

export function ShortcutsDialog({ folders, onClose }: ShortcutsDialogProps) {
  const { on, turn } = useShortcutSwitch();
  const goTo = folders.map(({ shortcut, title }) => [[`g ${shortcut}`], title] as const);
  return (
    <Dialog title="Keyboard shortcuts" wide onClose={onClose}>
      <dl className={classes.keys}>
        {[...KEY_HELP, ...goTo].map(([keys, what]) => (
          <div key={what}>
            <dt>
              <kbd>{keys.map(keyText).join(' / ')}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Use keyboard shortcuts"
        checked={on}
        onChange={(event) => turn(event.target.checked)}
      />
      <DialogActions>
        <Button kind="primary" focusFirst onClick={onClose}>
          OK
        </Button>
      </DialogActions>
    </Dialog>
  );
}
