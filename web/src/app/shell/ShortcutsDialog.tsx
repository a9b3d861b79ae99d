import { ACTION_KEYS } from '@/features/order/actions/orderActions';
import type { Folder } from '@/features/order/folders';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { MOD_KEY } from '@/ui/useHotkeys';
import { switchShortcuts, useShortcutSwitch } from '@/ui/shortcutSwitch';
import classes from './ShortcutsDialog.module.css';

const KEYS: (readonly [keys: string, what: string])[] = [
  [`${MOD_KEY} K`, 'Find an order, folder or action'],
  ['j / k', 'Next and previous row'],
  ['x', 'Select the row'],
  ['Enter / o', 'View the order'],
  ...ACTION_KEYS,
  ['/', 'Search'],
  ['[ / ]', 'Previous and next order of the list'],
  [', / .', 'Previous and next document'],
  ['z / Z / r', 'Zoom the document in and out, rotate it'],
  ['< / >', 'Previous or next page of the document'],
  ['?', 'This help'],
  ['g h', 'Dashboard'],
];

interface ShortcutsDialogProps {
  folders: readonly Folder[];
  onClose: () => void;
}

export function ShortcutsDialog({ folders, onClose }: ShortcutsDialogProps) {
  const on = useShortcutSwitch((state) => state.on);
  const goTo = folders.map(({ shortcut, title }) => [`g ${shortcut}`, title] as const);
  return (
    <Dialog title="Keyboard shortcuts" wide onClose={onClose}>
      <dl className={classes.keys}>
        {[...KEYS, ...goTo].map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Use keyboard shortcuts"
        checked={on}
        onChange={(event) => switchShortcuts(event.target.checked)}
      />
      <DialogActions>
        <Button kind="primary" focusFirst onClick={onClose}>
          OK
        </Button>
      </DialogActions>
    </Dialog>
  );
}
