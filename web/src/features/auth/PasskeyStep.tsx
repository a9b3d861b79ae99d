import { useEffect, useRef, useState } from 'react';
import { messageOf } from '@/api/ApiError';
import { Button } from '@/ui/Button';
import classes from './signInSteps.module.css';

interface PasskeyStepProps {
  /** Asks for the passkey and sends what it signed. A refusal is shown above the button. */
  onUse: () => Promise<void>;
}

export function PasskeyStep({ onUse }: PasskeyStepProps) {
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const use = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure('');
    try {
      await onUse();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={classes.form} aria-busy={isBusy}>
      <p className={classes.note}>
        Use your fingerprint, your face, a PIN or your security key, as you have set it up.
      </p>
      {failure && (
        <p className={classes.failure} role="alert">
          {failure}
        </p>
      )}
      <Button ref={button} kind="primary" busy={isBusy} onClick={() => void use()}>
        Use your passkey
      </Button>
    </div>
  );
}
