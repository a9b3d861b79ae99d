import { useEffect, useId, useState, type DragEvent, type Ref } from 'react';
import { FieldNote } from './Field';
import { sizeText } from './numbers';
import classes from './FileDrop.module.css';

interface FileDropProps {
  label: string;
  /** The types that the picker offers. */
  accept: string;
  /** Describes the accepted files. */
  hint: string;
  chosen: File | null;
  error?: string;
  disabled?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onPick: (file: File) => void;
  onBlur?: () => void;
}

/** A file input that is also an area to drop a file on. */
export function FileDrop(props: FileDropProps) {
  const { label, accept, hint, chosen, error, disabled = false, inputRef } = props;
  const { onPick, onBlur } = props;
  const id = useId();
  const noteId = useId();
  const [isOver, setOver] = useState(false);
  useNoFileOpened();

  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(!disabled);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) onPick(file);
  };
  return (
    <div>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div
        className={classes.area}
        data-over={isOver || undefined}
        data-invalid={error !== undefined || undefined}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={inputRef}
          id={id}
          type="file"
          className={classes.input}
          accept={accept}
          disabled={disabled}
          aria-invalid={error !== undefined}
          aria-describedby={noteId}
          onBlur={onBlur}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) onPick(file);
            // The same file can be chosen again, for example after it was changed.
            event.target.value = '';
          }}
        />
        <span className={classes.text}>
          {chosen ? (
            <>
              <b>
                <bdi>{chosen.name}</bdi>
              </b>{' '}
              · {sizeText(chosen.size)}
            </>
          ) : (
            <>
              <b>Choose a file</b> or drop it here
            </>
          )}
        </span>
      </div>
      <FieldNote id={noteId} isError={error !== undefined}>
        {error ?? hint}
      </FieldNote>
    </div>
  );
}

/** A file dropped beside the area must not replace the page and its forms. */
function useNoFileOpened() {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault();
    window.addEventListener('dragover', prevent);
    window.addEventListener('drop', prevent);
    return () => {
      window.removeEventListener('dragover', prevent);
      window.removeEventListener('drop', prevent);
    };
  }, []);
}
