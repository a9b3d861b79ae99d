import { Link } from 'react-router';
import type { ReactNode } from 'react';
import type { HomeData } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { useFirstRunSwitch } from '@/ui/storedSwitch';
import classes from './FirstRun.module.css';

type Step = HomeData['first_run'][number];

/** Each step with what to do. Settings are in the configuration of the server. */
const STEPS: Record<Step, [title: string, advice: ReactNode]> = {
  delete_demo_people: [
    'Delete the people of the demo',
    <>
      Everybody knows their password. Add yourself as an Admin in{' '}
      <Link to={paths.manageTeam}>Manage Team</Link>, then delete them.
    </>,
  ],
  second_factor: [
    'Protect your sign-in',
    <>
      Add an app or a passkey in <Link to={paths.security}>Sign-in Security</Link>.
    </>,
  ],
  add_colleagues: [
    'Add your colleagues',
    <>
      Everybody signs in with their own name, in <Link to={paths.manageTeam}>Manage Team</Link>.
    </>,
  ],
  set_up_mail: [
    'Set up email',
    'Emails are written to files, and reach nobody. Ask the person who runs the server to set mail.aws or mail.sendgrid.',
  ],
  set_public_url: [
    'Set the public address',
    'Links in emails lead to this machine only. Ask the person who runs the server to set public_url.',
  ],
  schedule_backups: [
    'Schedule backups',
    'No backup is made by itself. Ask the person who runs the server to set backups.place.',
  ],
};

/** The steps that the installation still lacks. An Admin can hide it in this browser. */
export function FirstRun({ steps }: { steps: readonly Step[] }) {
  const { on, turn } = useFirstRunSwitch();
  if (!on || steps.length === 0) return null;
  return (
    <Card as="section" className={classes.card} aria-labelledby="first-run">
      <div className={classes.head}>
        <h2 id="first-run">Before you begin</h2>
        <Button small onClick={() => turn(false)}>
          Hide
        </Button>
      </div>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>
            <strong>{STEPS[step][0]}</strong>
            <span>{STEPS[step][1]}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
