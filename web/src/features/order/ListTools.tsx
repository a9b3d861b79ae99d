import { useState, type ComponentProps } from 'react';
import type { ListSettings } from '@/api/types';
import { notifyFailure } from '@/session/notifyFailure';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { CsvButton } from '@/ui/CsvButton';
import { Icon } from '@/ui/Icon';
import { Popover } from '@/ui/Popover';
import type { ColumnTitles } from './columnSets';
import { HIDEABLE, type Fit } from './fitColumns';
import classes from './ListTools.module.css';

interface ListToolsProps {
  titles: ColumnTitles;
  fit: Fit;
  /** The columns of this list that the member hides. */
  hidden: readonly string[];
  density: ListSettings['density'];
  /** Lists have a column with the newest comment. */
  hasComments: boolean;
  /** Given where a list may have it. */
  onComments: ((hasComments: boolean) => void) | undefined;
  onDensity: (density: ListSettings['density']) => void;
  onHide: (hidden: string[]) => void;
  /** Given where the member may export. */
  loadFile: ComponentProps<typeof CsvButton>['load'] | undefined;
}

/** The settings for the look of the list, and the list as a file. */
export function ListTools(props: ListToolsProps) {
  const { titles, fit, hidden, density, hasComments } = props;
  const { onComments, onDensity, onHide, loadFile } = props;
  const [anchor, setAnchor] = useState<HTMLElement>();
  const isCompact = density === 'compact';
  const toggle = (column: string) =>
    onHide(hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column]);
  return (
    <div className={classes.tools}>
      <span className={classes.look}>
        <Button
          aria-pressed={isCompact}
          onClick={() => onDensity(isCompact ? 'comfortable' : 'compact')}
        >
          <Icon>
            <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />
          </Icon>
          Compact rows
        </Button>
        <Button
          aria-expanded={anchor !== undefined}
          onClick={({ currentTarget }) => setAnchor(currentTarget)}
        >
          <Icon>
            <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />
          </Icon>
          Columns
          {fit.shown < fit.all && (
            <strong>
              {fit.shown} of {fit.all}
            </strong>
          )}
        </Button>
      </span>
      {loadFile && <CsvButton load={loadFile} onFailure={notifyFailure} />}
      {anchor && (
        <Popover label="Columns" role="group" anchor={anchor} onClose={() => setAnchor(undefined)}>
          {titles.map(([key, title]) => {
            const name = HIDEABLE[key];
            return (
              name !== undefined && (
                <div key={key} className={classes.choice}>
                  <Checkbox
                    label={title}
                    checked={!hidden.includes(name)}
                    onChange={() => toggle(name)}
                  />
                </div>
              )
            );
          })}
          {onComments && (
            <div className={classes.choice}>
              <Checkbox
                label="Newest comment, in all lists"
                checked={hasComments}
                onChange={() => onComments(!hasComments)}
              />
            </div>
          )}
        </Popover>
      )}
    </div>
  );
}
