import { type ComponentProps, useRef } from 'react';
import { CameraIcon } from './drawings';
import { useTexts } from '@/i18n/texts';
import { ACCEPTED, withSize } from './paperFailureText';
import { usePaperTexts } from './paperTexts';

interface PaperPickersProps {
  /** Which camera takes this paper: the one at the back, or the one that looks at the visitor. */
  camera: 'environment' | 'user';
  /** A picture was taken before. */
  isAgain: boolean;
  onFile: (file: File) => void;
}

/** Takes a picture where there is a camera at hand, or chooses a file. */
export function PaperPickers({ camera, isAgain, onFile }: PaperPickersProps) {
  const { language } = useTexts();
  const words = usePaperTexts();
  return (
    <div className="paper-pickers">
      <Picker className="primary paper-camera" capture={camera} onFile={onFile}>
        <CameraIcon />
        {isAgain ? words.takePictureAgain : words.takePicture}
      </Picker>
      <Picker className="paper-file" onFile={onFile}>
        {words.chooseFile}
      </Picker>
      <p className="paper-limits soft">{withSize(words.limits, language)}</p>
    </div>
  );
}

interface PickerProps extends Pick<ComponentProps<'button'>, 'className' | 'children'> {
  capture?: 'environment' | 'user';
  onFile: (file: File) => void;
}

/** A button that opens a file picker; with `capture` a phone opens the camera. */
function Picker({ capture, onFile, ...button }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        capture={capture}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <button type="button" {...button} onClick={() => input.current?.click()} />
    </>
  );
}
