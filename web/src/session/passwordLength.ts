/** The fewest characters of a new password. The server refuses a shorter one; forms say so while it is typed. */
export const MIN_PASSWORD_CHARACTERS = 6;
