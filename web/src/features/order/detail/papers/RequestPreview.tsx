import { useQuery } from '@tanstack/react-query';
import type { PaperRequest } from '@/api/types';
import { Button } from '@/ui/Button';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { WhatsappButton } from '../mails/WhatsappButton';
import { previewQuery } from './deskCalls';
import classes from './desk.module.css';

interface RequestPreviewProps {
  request: PaperRequest;
  onClose: () => void;
}

/** The text that the applicant would read, also as a WhatsApp message. */
export function RequestPreview({ request, onClose }: RequestPreviewProps) {
  const { data: preview, error } = useQuery(previewQuery(request));
  return (
    <Dialog title="What the applicant reads" wide onClose={onClose}>
      {error && <DialogText role="alert">{error.message}</DialogText>}
      <div
        className={classes.preview}
        aria-busy={!preview && !error}
        lang={request.language}
        dir="auto"
      >
        {preview && (
          <>
            <p>
              <b>{preview.subject}</b>
            </p>
            <pre>{preview.text}</pre>
          </>
        )}
      </div>
      {preview && (
        <DialogText>
          {preview.recipient ? (
            <>
              To <bdi>{preview.recipient}</bdi>
            </>
          ) : (
            'The order has no valid email address. Please correct it first.'
          )}
        </DialogText>
      )}
      <DialogActions>
        <WhatsappButton
          number={preview?.phone}
          text={preview?.message}
          isLoaded={preview !== undefined}
        />
        <Button kind="primary" focusFirst onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
