import { useId, type ReactNode } from 'react';
import { Icon } from './Icon';
import { toggleFold, useFolds } from './folds';
import classes from './Folded.module.css';

interface FoldedProps {
  title: string;
  titleId?: string;
  as?: 'h2' | 'h3';
  /** Beside the title: what the part has. */
  note: ReactNode;
  /** After the note while the part is closed: what matters most of it. */
  gist?: ReactNode;
  /** False where there is room: the part is always open. */
  folds?: boolean;
  children: ReactNode;
}

/** A part under its heading that a click opens and closes. Parts with the same title are open together, and paper shows all. */
export function Folded({
  title,
  titleId,
  as: Heading = 'h2',
  note,
  gist,
  folds = true,
  children,
}: FoldedProps) {
  const contentId = useId();
  const isOpen = useFolds(({ open }) => open.includes(title)) || !folds;
  return (
    <>
      <div className={classes.head}>
        <Heading id={titleId}>
          {folds ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={contentId}
              onClick={() => toggleFold(title)}
            >
              <Icon>
                <path d={isOpen ? 'M4 6l4 4 4-4' : 'M6 4l4 4-4 4'} />
              </Icon>
              {title}
            </button>
          ) : (
            title
          )}
        </Heading>
        <span className={classes.note}>
          <span>{note}</span>
          {!isOpen && gist}
        </span>
      </div>
      <div id={contentId} className={classes.content} hidden={!isOpen}>
        {children}
      </div>
    </>
  );
}
