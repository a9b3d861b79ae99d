import { useEffect, useRef, useState } from 'react';
import { Refusal } from '@/api/Refusal';
import { sendPaperAnyway, uploadPaper } from '@/api/paperCalls';
import { type AttemptHeaders, newAttempt } from '@/api/attempt';
import type { AskedPapers, MissingPaper } from '@/api/visitorCalls';
import { isSignedOut } from '../useVisitorOrder';
import { refusalOf } from './paperFailureText';

/** A paper that the agency asks for, or one that is missing, which has no reason. */
export type PaperItem = MissingPaper & Partial<Pick<AskedPapers['items'][number], 'reason'>>;

/**
 * The content of a card: the reason and the pickers, the progress, the wait for the check, its
 * faults, or thanks.
 */
export type PaperStage = 'open' | 'sending' | 'checking' | 'look' | 'received';

/** The stage of a paper by what the server says of it. */
const STAGES: Record<PaperItem['state'], PaperStage> = {
  asked: 'open',
  checking: 'checking',
  look: 'look',
  in: 'received',
};

/** A file, and the header that all attempts to send it share. */
interface Chosen {
  file: File;
  headers: AttemptHeaders;
}

type Phase =
  | { name: 'idle' }
  | { name: 'sending'; share: number }
  /** Sent, while the server's word on this item is still the one from before. */
  | { name: 'sent'; before: PaperItem };

const IDLE: Phase = { name: 'idle' };

interface PaperUploadOptions {
  orderId: number;
  item: PaperItem;
  /** Called when the server knows more than `item` says. */
  onChanged: () => void;
  onAccessLost: () => void;
}

/** Sends the file of one paper, once more after a failure, and all the same after a fault. */
export function usePaperUpload({ orderId, item, onChanged, onAccessLost }: PaperUploadOptions) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [phase, setPhase] = useState<Phase>(IDLE);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const sending = useRef<AbortController>(undefined);
  const newest = useRef(item);

  useEffect(() => {
    newest.current = item;
  }, [item]);
  useEffect(() => () => sending.current?.abort(), []);

  const fail = (error: unknown) => {
    setPhase(IDLE);
    if (isSignedOut(error)) onAccessLost();
    else if (!(error instanceof DOMException)) setFailure(error);
    if (error instanceof Refusal && error.code === 'paper_not_asked_for') onChanged();
  };

  const onProgress = (share: number) => setPhase({ name: 'sending', share });

  const attempt = async ({ file, headers }: Chosen) => {
    const controller = new AbortController();
    sending.current = controller;
    setFailure(null);
    onProgress(0);
    try {
      const { signal } = controller;
      await uploadPaper(orderId, item.kind, file, { headers, onProgress, signal });
      setPhase({ name: 'sent', before: newest.current });
      onChanged();
    } catch (error) {
      fail(error);
    }
  };

  const send = (file: File) => {
    const refusal = refusalOf(file);
    const next = { file, headers: newAttempt() };
    setChosen(refusal ? null : next);
    if (refusal) setFailure(refusal);
    else void attempt(next);
  };

  const sendAnyway = async () => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await sendPaperAnyway(orderId, item.kind);
      onChanged();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  };

  const isSent = phase.name === 'sent' && phase.before === item;
  const unsent = phase.name === 'sending' ? 'sending' : STAGES[item.state];
  return {
    stage: isSent ? 'checking' : unsent,
    /** The file that was chosen last; null before, and after one that cannot be sent. */
    file: chosen?.file ?? null,
    /** The share that is sent, from 0 to 1. */
    share: phase.name === 'sending' ? phase.share : 0,
    failure,
    isBusy,
    send,
    sendAnyway,
    /** Sends the file again; null unless it did not get through. */
    retry: failure !== null && chosen !== null ? () => void attempt(chosen) : null,
    cancel: () => {
      sending.current?.abort();
      setChosen(null);
    },
  };
}
