import { SignIn } from '@/features/auth/SignIn';
import { Logo } from '@/ui/Logo';
import classes from './SignInPage.module.css';

export function SignInPage() {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.side}>
          <div className={classes.brand}>
            <Logo size={30} inverted />
            Visadesk
          </div>
          <p className={classes.claim}>The desk where e‑visas get done.</p>
          <p className={classes.note}>Back office</p>
        </div>
        <div className={classes.form}>
          <SignIn />
        </div>
      </div>
    </main>
  );
}
