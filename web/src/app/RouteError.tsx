import { isRouteErrorResponse, useRouteError } from 'react-router';
import { messageOf } from '@/api/ApiError';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import classes from './RouteError.module.css';

/** The last resort, when a screen fails to draw or to load, or does not exist. */
export function RouteError() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <div className={classes.error} role="alert">
      <h1>{isMissing ? 'This page does not exist' : 'Unexpected Application Error!'}</h1>
      {!isMissing && (
        <>
          <p>{messageOf(error)}</p>
          <p>Visadesk may have been updated while this page was open. Reload it to go on.</p>
        </>
      )}
      <div className={classes.actions}>
        {!isMissing && (
          <Button kind="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        )}
        <ButtonLink to={paths.home} reloadDocument>
          Dashboard
        </ButtonLink>
      </div>
    </div>
  );
}
