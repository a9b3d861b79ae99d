import { create } from 'zustand';
import { storedLogin } from '@/api/storedLogin';

export interface SignedIn {
  id: number;
  name: string;
  email: string;
  type: string;
}

export interface AuthState {
  loading: boolean;
  error: string;
  data: SignedIn | null;
  isAuth: boolean;
  role: string;
  userInfoLoading: boolean;
}

const signedOut: AuthState = {
  loading: false,
  error: '',
  data: null,
  isAuth: false,
  role: '',
  userInfoLoading: false,
};

const fromStoredLogin = (): AuthState => ({ ...signedOut, isAuth: storedLogin() !== null });

export const useAuth = create<AuthState>(fromStoredLogin);

/** The transitions of the sign-in and of loading the signed-in member. */
export const auth = {
  pending: () => useAuth.setState({ loading: true }),
  rejected: (error: string) => useAuth.setState({ loading: false, error }),
  fulfilled: (data: SignedIn | undefined) =>
    useAuth.setState(data ? { loading: false, isAuth: true, data } : { loading: false }),
  logout: () => useAuth.setState(signedOut),
  /** Another tab signed in or out. */
  loginReplaced: () => useAuth.setState(fromStoredLogin()),
  userInfoPending: () => useAuth.setState({ userInfoLoading: true }),
  userInfoFulfilled: (role: string) => useAuth.setState({ userInfoLoading: false, role }),
  userInfoRejected: () => useAuth.setState({ userInfoLoading: false }),
};
