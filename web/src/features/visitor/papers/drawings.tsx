import { Icon } from '@/ui/Icon';

/** A camera, for the button that opens it. */
export function CameraIcon() {
  return (
    <Icon>
      <path d="M2 5.5h2.6l1-1.8h4.8l1 1.8H14v7.8H2z" />
      <circle cx="8" cy="9" r="2.3" />
    </Icon>
  );
}

export function FaultIcon() {
  return (
    <Icon>
      <circle cx="8" cy="8" r="6.5" />
      <path d="M8 4.6v4M8 11.3v.1" />
    </Icon>
  );
}

export function CheckIcon() {
  return (
    <Icon>
      <circle cx="8" cy="8" r="6.5" />
      <path d="m5.2 8.2 2 2 3.6-4" />
    </Icon>
  );
}

/** The passport's page inside the picture, with its two lines. A passport is laid the same way in every language. */
export function PassportDrawing() {
  return (
    <svg className="paper-drawing" viewBox="0 0 96 68" aria-hidden="true">
      <rect className="paper-frame" x="1" y="1" width="94" height="66" rx="6" />
      <rect className="paper-page" x="9" y="8" width="78" height="52" rx="4" />
      <rect className="paper-fill" x="15" y="15" width="18" height="23" rx="2" />
      <path className="paper-stroke" d="M39 19h30M39 26h36M39 33h24" />
      <path className="paper-ink" d="M15 46.5h66M15 53h66" />
    </svg>
  );
}

/** A face in the middle of the picture. */
export function PhotographDrawing() {
  return (
    <svg className="paper-drawing" viewBox="0 0 96 68" aria-hidden="true">
      <rect className="paper-frame" x="24" y="1" width="48" height="66" rx="6" />
      <rect className="paper-page" x="29" y="6" width="38" height="56" rx="3" />
      <path className="paper-fill" d="M33 62c0-12 6-17 15-17s15 5 15 17z" />
      <circle className="paper-fill" cx="48" cy="30" r="11" />
    </svg>
  );
}
