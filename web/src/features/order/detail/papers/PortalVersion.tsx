import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { Button } from '@/ui/Button';
import { Row } from '@/ui/Row';
import { useOrderPost } from '../useOrderPost';
import { fitted, heightOf, largest, movedByKey, type Frame, type Sides } from './frame';
import classes from './PortalVersion.module.css';

interface PortalVersionProps {
  orderId: number;
  documentId: number;
  /** The signed link of the photograph. */
  link: string;
}

/** Makes the version of the photograph that the portal takes: a frame, which mouse and keys move, says what it shows. */
export function PortalVersion({ orderId, documentId, link }: PortalVersionProps) {
  const [isOpen, setOpen] = useState(false);
  const [sides, setSides] = useState<Sides | null>(null);
  const [chosen, setChosen] = useState<Frame | null>(null);
  const { post } = useOrderPost();
  const frame = sides && (chosen ?? largest(sides));
  const make = async () => {
    if (!frame) return;
    const body = { orderId, documentId, frame };
    if (await post('/api/admin/make-portal-photograph', body)) setOpen(false);
  };
  return (
    <div className={classes.portal}>
      <p>
        The portal’s version is cropped, converted and saved as a document of its own. The original
        stays.
      </p>
      {isOpen && (
        <div className={classes.sheet}>
          <img
            src={fileUrl(link)}
            alt="The photograph"
            draggable={false}
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setSides({ width, height })
            }
          />
          {sides && frame && <FrameHandle frame={frame} sides={sides} onChange={setChosen} />}
        </div>
      )}
      <Row>
        {isOpen ? (
          <>
            <Button small kind="primary" onClick={() => void make()}>
              Save the portal’s version
            </Button>
            <Button small onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button small onClick={() => setOpen(true)}>
            Make the portal’s version
          </Button>
        )}
      </Row>
    </div>
  );
}

interface FrameHandleProps {
  frame: Frame;
  sides: Sides;
  onChange: (frame: Frame) => void;
}

const percent = (part: number) => `${part * 100}%`;

function FrameHandle({ frame, sides, onChange }: FrameHandleProps) {
  const grip = useRef<{ x: number; y: number; from: Frame } | null>(null);
  const press = (event: KeyboardEvent) => {
    const moved = movedByKey(frame, event.key, event.shiftKey, sides);
    if (!moved) return;
    event.preventDefault();
    onChange(moved);
  };
  const drag = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const sheet = currentTarget.parentElement?.getBoundingClientRect();
    if (!grip.current || !sheet) return;
    const { x, y, from } = grip.current;
    const left = from.left + (clientX - x) / sheet.width;
    const top = from.top + (clientY - y) / sheet.height;
    onChange(fitted({ ...from, left, top }, sides));
  };
  return (
    <button
      type="button"
      className={classes.frame}
      style={{
        left: percent(frame.left),
        top: percent(frame.top),
        width: percent(frame.width),
        height: percent(heightOf(frame, sides)),
      }}
      aria-label={`Frame, ${Math.round(frame.width * 100)} % wide. Arrows move it, plus and minus resize it`}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        grip.current = { x: event.clientX, y: event.clientY, from: frame };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        grip.current = null;
      }}
    />
  );
}
