import { useState } from 'react';
import { useNavigate } from 'react-router';
import { storeLogin } from '@/api/storedLogin';
import { paths } from '@/paths/staffPaths';
import { auth } from '@/session/auth';
import { takeAddress } from '@/session/returnAddress';
import { notify } from '@/ui/notify';
import { EnrolmentForm } from './EnrolmentForm';
import { SecondFactorForm } from './SecondFactorForm';
import type { Challenge, Session } from './secondStep';
import { SignInForm } from './SignInForm';

/** The sign-in: email and password, and a second step for members who need one. */
export function SignIn() {
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const welcome = async ({ message, jwtToken, data }: Session) => {
    storeLogin(jwtToken);
    auth.fulfilled(data);
    notify.success(message);
    await navigate(takeAddress(data.id) ?? paths.home);
  };
  if (challenge === null) return <SignInForm onSignedIn={welcome} onChallenge={setChallenge} />;
  const Step = challenge.methods.length > 0 ? SecondFactorForm : EnrolmentForm;
  return <Step challenge={challenge} onSignedIn={welcome} onRestart={() => setChallenge(null)} />;
}
