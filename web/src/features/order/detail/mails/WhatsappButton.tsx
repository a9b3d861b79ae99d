import { Button, ButtonAnchor, type ButtonProps } from '@/ui/Button';
import { whatsappLink } from '../../phone';

interface WhatsappButtonProps extends Pick<ButtonProps, 'kind'> {
  /** The number as WhatsApp wants it; null: the order has none. */
  number: string | null | undefined;
  text: string | undefined;
  /** True once the number and the text are known. */
  isLoaded: boolean;
  onOpen?: () => void;
}

/** Opens a WhatsApp chat with the applicant, with a text to begin it. */
export function WhatsappButton({ kind, number, text = '', isLoaded, onOpen }: WhatsappButtonProps) {
  if (number) {
    return (
      <ButtonAnchor
        kind={kind}
        href={whatsappLink(number, text)}
        target="_blank"
        rel="noopener noreferrer"
        onClick={onOpen}
      >
        Send Whatsapp Message
      </ButtonAnchor>
    );
  }
  const why = isLoaded ? 'The order has no phone number with a country code' : undefined;
  return (
    <Button kind={kind} disabled title={why}>
      Send Whatsapp Message
    </Button>
  );
}
