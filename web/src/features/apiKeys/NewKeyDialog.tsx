import { Button } from '@/ui/Button';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { copy } from '@/ui/copy';
import classes from './NewKeyDialog.module.css';

/** A key that was just created. It is nowhere else. */
export interface NewKey {
  name: string;
  key: string;
}

/** Shows a new key, once. */
export function NewKeyDialog({ created, onClose }: { created: NewKey; onClose: () => void }) {
  return (
    <Dialog title={`The key ${created.name}`} wide onClose={onClose}>
      <DialogText>
        Copy the key now and store it on the sales site. It is not shown again. If it is lost,
        create a new one.
      </DialogText>
      <p className={classes.key}>
        <code>{created.key}</code>
      </p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" focusFirst onClick={() => void copy(created.key, 'API key copied')}>
          Copy key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
