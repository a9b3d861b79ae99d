import { Button, type ButtonProps } from './Button';

/** The button that repeats what failed. */
export function TryAgain({ small, onClick }: Pick<ButtonProps, 'small' | 'onClick'>) {
  return (
    <Button small={small} onClick={onClick}>
      Try again
    </Button>
  );
}
