/** A sign-in whose password was right, and which lacks the second factor. */
export interface Challenge {
  challenge: string;
  /** Whether the member has a second factor; otherwise one has to be set up. */
  isEnrolled: boolean;
}

/** What the server answers to a sign-in. */
export interface Session {
  message: string;
  jwtToken: string;
  data: { id: number; name: string; email: string; type: string };
}

/** What an authenticator app is set up with. */
export interface Enrolment {
  enrolment: string;
  secret: string;
  url: string;
}
