import { Suspense } from 'react';
import { Navigate, useMatch } from 'react-router';
import { useAuth } from '@/session/auth';
import { lazyComponent } from '@/ui/loadChunk';
import { paths } from '@/paths/staffPaths';

const Shell = lazyComponent('Shell', () => import('./shell/Shell'));
const SignInPage = lazyComponent('SignInPage', () => import('@/pages/SignInPage'));

/** The staff area: the shell for signed-in members, the sign-in otherwise. */
export function AdminRoot() {
  const isAuth = useAuth((state) => state.isAuth);
  const isHome = useMatch(paths.home) !== null;
  if (!isAuth && !isHome) return <Navigate to={paths.signIn} replace />;
  return <Suspense fallback={null}>{isAuth ? <Shell /> : <SignInPage />}</Suspense>;
}
