import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { Button } from '@/ui/Button';
import { TryAgain } from '@/ui/TryAgain';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { FormattedTime } from '@/ui/Time';
import { usDateAndTimeUtc } from '@/ui/times';
import classes from './EmailContent.module.css';
import { emailContentQuery } from './mailCalls';
import { LogContact } from './LogContact';
import { WhatsappButton } from './WhatsappButton';

interface EmailContentProps {
  orderId: number;
  onClose: () => void;
  /** Called to log that the customer was contacted. */
  onLogContact: () => void;
}

/** The content of the approval mail, also as a WhatsApp message. */
export function EmailContent({ orderId, onClose, onLogContact }: EmailContentProps) {
  const { data: mail, error, refetch } = useQuery(emailContentQuery(orderId));
  const [isWritten, setWritten] = useState(false);
  return (
    <Dialog title="Email Content" wide onClose={onClose}>
      {error && (
        <DialogText role="alert">
          {error.message} <TryAgain small onClick={() => void refetch()} />
        </DialogText>
      )}
      <dl className={classes.facts}>
        <div>
          <dt>Subject</dt>
          <dd dir="auto">{mail?.subject}</dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>
            <bdi>{mail?.email}</bdi>
          </dd>
        </div>
        <div>
          <dt>Sent</dt>
          <dd>
            {mail?.sent_at ? (
              <FormattedTime iso={mail.sent_at} text={usDateAndTimeUtc(mail.sent_at)} zone="UTC" />
            ) : (
              mail && (mail.state === null ? 'Not sent yet. This is a preview.' : mail.state)
            )}
          </dd>
        </div>
      </dl>
      {/* No script of a mail may run, and none of its links may navigate. */}
      <div className={classes.paper}>
        {mail && (
          <iframe
            className={classes.frame}
            src={fileUrl(mail.link)}
            sandbox=""
            title={`The email “${mail.subject}”`}
          />
        )}
      </div>
      {isWritten && <LogContact onLog={onLogContact} />}
      <DialogActions>
        <WhatsappButton
          number={mail?.whatsapp_number}
          text={mail?.whatsapp_text}
          isLoaded={mail !== undefined}
          onOpen={() => setWritten(true)}
        />
        <Button kind="primary" focusFirst onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
