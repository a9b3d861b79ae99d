import { Button } from '@/ui/Button';
import { copy } from '@/ui/copy';
import { saveFile } from '@/ui/saveFile';
import { Row } from '@/ui/Row';
import classes from './RecoveryCodes.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  /** Called when the member has kept them. */
  onDone: () => void;
}

/** New recovery codes, which are shown once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const text = codes.join('\n');
  return (
    <div className={classes.codes}>
      <p>
        Each of these codes signs you in once when you have lost your phone or your passkeys. Keep
        them where you keep passwords: they are not shown again.
      </p>
      <ol aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Row>
        <Button onClick={() => void copy(text, 'Recovery codes copied')}>Copy</Button>
        <Button
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'visadesk-recovery-codes.txt')
          }
        >
          Download
        </Button>
        <Button kind="primary" focusFirst onClick={onDone}>
          I have kept them
        </Button>
      </Row>
    </div>
  );
}
