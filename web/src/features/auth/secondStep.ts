import { ApiError, messageOf } from '@/api/ApiError';
import { notify } from '@/ui/notify';

/** A sign-in whose password was right, and which lacks the second factor. */
export interface Challenge {
  challenge: string;
  /**
   * The methods with which the member can finish it; empty if a second factor has to be set up
   * first.
   */
  methods: readonly string[];
  /** The methods that can be set up. */
  offers: readonly string[];
}

/** The answer of the server to a sign-in. */
export interface Session {
  message: string;
  jwtToken: string;
  data: { id: number; name: string; email: string; type: string };
}

/** The values that set up an authenticator app. */
export interface Enrolment {
  enrolment: string;
  secret: string;
  url: string;
}

export interface SecondStepProps {
  challenge: Challenge;
  onSignedIn: (session: Session) => Promise<void>;
  /** Called when the password has to be entered again. */
  onRestart: () => void;
}

/** Sends a part of the second step. After a sign-in that has ended, the password has to be entered again. */
export async function untilEnded(work: () => Promise<void>, onRestart: () => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'challenge_ended') throw error;
    notify.error(messageOf(error));
    onRestart();
  }
}
