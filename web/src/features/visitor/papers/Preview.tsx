import { useEffect, useRef, useState } from 'react';

/** Twice the width of the preview on a phone, for its finer pixels. */
const MAX_WIDTH_PX = 720;

/** The chosen picture; the name of a file that is none, or cannot be drawn. */
export function Preview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<File | null>(null);

  useEffect(() => {
    let isLatest = true;
    const draw = async () => {
      const picture = await createImageBitmap(file);
      const target = canvas.current;
      if (isLatest && target) {
        const scale = Math.min(1, MAX_WIDTH_PX / picture.width);
        target.width = Math.round(picture.width * scale);
        target.height = Math.round(picture.height * scale);
        target.getContext('2d')?.drawImage(picture, 0, 0, target.width, target.height);
        setDrawn(file);
      }
      picture.close();
    };
    // A picture that this browser cannot draw may be fine for the server.
    if (file.type.startsWith('image/')) draw().catch(() => {});
    return () => {
      isLatest = false;
    };
  }, [file]);

  const isDrawn = drawn === file;
  // A canvas rather than an image: the content security policy has no room for blob URLs.
  return (
    <>
      <canvas ref={canvas} className="paper-preview" hidden={!isDrawn} aria-hidden="true" />
      {!isDrawn && (
        <p className="paper-name">
          <bdi translate="no">{file.name}</bdi>
        </p>
      )}
    </>
  );
}
