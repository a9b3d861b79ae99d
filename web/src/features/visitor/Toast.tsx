import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTexts } from '@/i18n/texts';
import './Toast.css';

const CLOSES_AFTER_MS = 5000;
/** The distance that a finger must push the toast to close it. */
const PUSH_PX = 80;

/** An error in the corner, for five seconds. It stays while hovered, focused or in an inactive window. */
export function Toast({ message, onClose }: { message: string; onClose: () => void }) {
  const { texts } = useTexts();
  const [isHeld, setHeld] = useState(false);
  const pushedFrom = useRef<number | null>(null);
  const [pushed, setPushed] = useState(0);

  useEffect(() => {
    const hold = () => setHeld(true);
    const release = () => setHeld(false);
    addEventListener('blur', hold);
    addEventListener('focus', release);
    return () => {
      removeEventListener('blur', hold);
      removeEventListener('focus', release);
    };
  }, []);

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(onClose, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isHeld, onClose]);

  const push = ({ clientX }: PointerEvent) => {
    if (pushedFrom.current !== null) setPushed(clientX - pushedFrom.current);
  };
  const letGo = () => {
    pushedFrom.current = null;
    if (Math.abs(pushed) > PUSH_PX) onClose();
    else setPushed(0);
  };

  return (
    <div className="toast-place" role="alert">
      <div
        className="toast"
        role="presentation"
        style={pushed === 0 ? undefined : { transform: `translateX(${pushed}px)` }}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => {
          letGo();
          setHeld(false);
        }}
        onPointerDown={({ clientX }) => (pushedFrom.current = clientX)}
        onPointerMove={push}
        onPointerUp={letGo}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <span>{message}</span>
        <button type="button" className="toast-close" aria-label={texts.close} onClick={onClose}>
          ×
        </button>
      </div>
    </div>
  );
}
