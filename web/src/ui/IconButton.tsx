import { Button, type ButtonProps } from './Button';
import { Icon } from './Icon';

interface IconButtonProps extends Omit<ButtonProps, 'square' | 'aria-label' | 'title'> {
  /** Its accessible name and its tooltip. */
  label: string;
}

/** A square button with an icon, drawn by the paths of its content. */
export function IconButton({ label, children, ...button }: IconButtonProps) {
  return (
    <Button {...button} square aria-label={label} title={label}>
      <Icon>{children}</Icon>
    </Button>
  );
}
