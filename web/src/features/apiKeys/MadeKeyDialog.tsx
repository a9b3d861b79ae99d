import { CopyButton } from '@/ui/CopyButton';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { copy } from '@/ui/copy';
import classes from './MadeKeyDialog.module.css';

/** A key that was just made. It is nowhere else. */
export interface MadeKey {
  name: string;
  key: string;
}

interface MadeKeyDialogProps {
  made: MadeKey;
  onClose: () => void;
}

/** Shows a new key, once. */
export function MadeKeyDialog({ made, onClose }: MadeKeyDialogProps) {
  return (
    <Dialog title={`The key ${made.name}`} wide onClose={onClose}>
      <DialogText>
        Copy the key now and store it on the sales site. It is not shown again: whoever loses it
        needs a new one.
      </DialogText>
      <p className={classes.key}>
        <code>{made.key}</code>
        <CopyButton text={made.key} what="API key" />
      </p>
      <DialogActions>
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
        <button
          type="button"
          className="button"
          data-kind="primary"
          data-autofocus
          onClick={() => void copy(made.key, 'API key copied')}
        >
          Copy key
        </button>
      </DialogActions>
    </Dialog>
  );
}
