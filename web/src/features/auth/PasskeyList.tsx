import type { Passkey } from '@/api/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Time } from '@/ui/Time';
import classes from './PasskeyList.module.css';

interface PasskeyListProps {
  passkeys: Passkey[];
  /** True if the only passkey must stay. */
  isKept: boolean;
  onRemove: (passkey: Passkey) => void;
}

export function PasskeyList({ passkeys, isKept, onRemove }: PasskeyListProps) {
  return (
    <Card as="section" className={classes.card} aria-labelledby="passkeys">
      <h2 id="passkeys">Your passkeys</h2>
      <p>Remove every passkey whose device you no longer have.</p>
      <ul aria-label="Passkeys">
        {passkeys.map((passkey) => (
          <li key={passkey.id}>
            <strong>{passkey.name}</strong>
            <span>
              Added <Time iso={passkey.added_at} />
            </span>
            <span>
              {passkey.last_used_at ? (
                <>
                  Last used <Time iso={passkey.last_used_at} />
                </>
              ) : (
                'Not used yet'
              )}
            </span>
            {isKept ? (
              <span>Required</span>
            ) : (
              <Button
                small
                kind="danger"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => onRemove(passkey)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
