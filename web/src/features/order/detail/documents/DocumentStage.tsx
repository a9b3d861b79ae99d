import type { RefObject } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { TryAgain } from '@/ui/TryAgain';
import { ImageSheet, type View } from './ImageSheet';
import { PdfPages } from './PdfPages';
import { StageNotice } from './StageNotice';
import { useStableFileUrl } from './useStableFileUrl';
import type { ViewedFile } from './viewedFiles';

interface DocumentStageProps {
  orderId: number;
  file: ViewedFile;
  view: View;
  onView: (change: Partial<View>) => void;
  turn: RefObject<((by: 1 | -1) => void) | null>;
}

/** A file, or the reason why it cannot be shown. */
export function DocumentStage({ orderId, file, view, onView, turn }: DocumentStageProps) {
  const { link, isRenewing, fail, renew } = useStableFileUrl(orderId, file.link);
  if (link === null) {
    return (
      <StageNotice role={isRenewing ? undefined : 'alert'}>
        {isRenewing ? (
          'Loading…'
        ) : (
          <>
            <span>{file.label} could not be opened.</span>
            <TryAgain small onClick={renew} />
          </>
        )}
      </StageNotice>
    );
  }
  if (file.isPdf) {
    return (
      <PdfPages
        orderId={orderId}
        file={file}
        link={link}
        view={view}
        onView={onView}
        onStale={fail}
        turn={turn}
      />
    );
  }
  return (
    <ImageSheet
      src={fileUrl(link)}
      label={file.label}
      view={view}
      onZoom={(zoom) => onView({ zoom })}
      onFailure={fail}
    />
  );
}
