import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { useOffers } from '../actions/offers';
import { colleaguesQuery } from '../colleagues';
import { FilterDialog } from './FilterDialog';
import { FILTER_KEYS, type ListFilter } from './filterKeys';
import { filtersOf, filterText, ME, UNASSIGNED } from './filterTexts';
import classes from './ListFilters.module.css';

interface ListFiltersProps {
  orderName: string;
  filter: ListFilter;
  /** Nationalities to suggest. */
  nationalities: readonly string[];
  onFilter: (filter: ListFilter) => void;
  /** Further buttons beside the chips. */
  children?: ReactNode;
}

/** The filters of a list as chips, each of which can be removed, and the button that opens all of them. */
export function ListFilters(props: ListFiltersProps) {
  const { orderName, filter, nationalities, onFilter, children } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLSpanElement>(null);
  const texts = useFilterTexts(filter);
  useOffers(() => [{ label: 'Filter this list', run: () => setOpen(true) }]);
  const remove = (key: string, { currentTarget }: MouseEvent<HTMLElement>) => {
    // The focus stays among the chips, or goes to the button that adds one.
    const list = currentTarget.closest('ul');
    const chips = [...(list?.querySelectorAll<HTMLElement>('[data-removes]') ?? [])];
    const place = chips.indexOf(currentTarget);
    const beside = chips[place + 1] ?? chips[place - 1] ?? button.current?.querySelector('button');
    beside?.focus();
    onFilter(Object.fromEntries(Object.entries(filter).filter(([one]) => one !== key)));
  };
  return (
    <>
      <span ref={button}>
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon>
            <path d="M2 3.5h12M4.5 8h7M7 12.5h2" />
          </Icon>
          Filter
        </Button>
      </span>
      {texts.length > 0 && (
        <ul className={classes.chips} aria-label="Filters">
          {texts.map(([key, text]) => (
            <li key={key} className={classes.chip}>
              <button type="button" className={classes.text} onClick={() => setOpen(true)}>
                {text}
              </button>
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove filter ${text}`}
                data-removes
                onClick={(event) => remove(key, event)}
              >
                <Icon>
                  <path d="M4.5 4.5l7 7M11.5 4.5l-7 7" />
                </Icon>
              </button>
            </li>
          ))}
          <li className={classes.tools}>{children}</li>
          {texts.length > 1 && (
            <li>
              <Button
                kind="text"
                small
                onClick={() => {
                  button.current?.querySelector('button')?.focus();
                  onFilter({});
                }}
              >
                Clear filters
              </Button>
            </li>
          )}
        </ul>
      )}
      {isOpen && (
        <FilterDialog
          filter={filter}
          offered={filtersOf(orderName)}
          nationalities={nationalities}
          onFilter={onFilter}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The texts of the chips by filter, in their order. */
function useFilterTexts(filter: ListFilter) {
  const { owner } = filter;
  const isMember = owner !== undefined && owner !== ME && owner !== UNASSIGNED;
  const { data } = useQuery({ ...colleaguesQuery, enabled: isMember });
  const nameOf = (id: string) => data?.find((member) => String(member.staff_id) === id)?.name;
  return FILTER_KEYS.flatMap((key) => {
    const value = filter[key];
    return value === undefined ? [] : [[key, filterText(key, value, nameOf)] as const];
  });
}
