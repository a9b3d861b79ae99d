import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useHotkeys } from '@/ui/useHotkeys';
import segments from './segments.module.css';
import { searchOf, viewAfterKey, viewNamed, VIEWS, type OrderView } from './views';
import classes from './ViewSwitch.module.css';

/** The view of the order that is shown. It lives in the address. */
export function useView(): OrderView {
  const [search] = useSearchParams();
  return viewNamed(search.get('view'));
}

/** The views of the order as links, each with its key. */
export function ViewSwitch() {
  const shown = useView();
  const { state } = useLocation();
  const navigate = useNavigate();
  useHotkeys(
    Object.fromEntries(
      VIEWS.flatMap((view) => {
        const open = () =>
          // At once: the next key acts on the view that this one opens.
          void navigate(
            { search: searchOf(viewAfterKey(shown, view)) },
            { state, flushSync: true },
          );
        return view.key ? [[view.key, open]] : [];
      }),
    ),
  );
  return (
    <nav className={`${segments.bar} ${classes.switch}`} aria-label="Views of the order">
      {VIEWS.map((view) => (
        <Link
          key={view.name}
          to={{ search: searchOf(view) }}
          state={state}
          aria-current={view === shown ? 'page' : undefined}
          aria-keyshortcuts={view.key}
        >
          {view.title} {view.key && <kbd aria-hidden="true">{view.key}</kbd>}
        </Link>
      ))}
    </nav>
  );
}
