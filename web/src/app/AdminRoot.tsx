import { lazy, Suspense } from 'react';
import { Navigate, useMatch } from 'react-router';
import { useAuth } from '@/session/auth';
import { loadChunk } from '@/ui/loadChunk';
import { paths } from '@/paths/staffPaths';

const Shell = lazy(async () => {
  const { Shell } = await loadChunk('shell', () => import('./shell/Shell'));
  return { default: Shell };
});

const SignInPage = lazy(async () => {
  const { SignInPage } = await loadChunk('sign-in', () => import('@/pages/SignInPage'));
  return { default: SignInPage };
});

/** The staff area: the shell for signed-in members, the sign-in otherwise. */
export function AdminRoot() {
  const isAuth = useAuth((state) => state.isAuth);
  const isHome = useMatch(paths.home) !== null;
  if (!isAuth && !isHome) return <Navigate to={paths.signIn} replace />;
  return <Suspense fallback={null}>{isAuth ? <Shell /> : <SignInPage />}</Suspense>;
}
