import { useLayoutEffect, useState, type RefObject } from 'react';

/** The outer width of an element in CSS pixels, also of its scrollbar; 0 until it is laid out. */
export function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (!element) return;
    const measure = () => setWidth(element.offsetWidth);
    // Before the first paint, so that nothing moves afterwards.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
