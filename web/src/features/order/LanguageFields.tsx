import type { FieldError, UseFormRegisterReturn } from 'react-hook-form';
import { LANGUAGES, type Language } from '@/i18n/languages';
import { TextField } from '@/ui/Field';
import classes from './LanguageFields.module.css';

interface LanguageFieldsProps {
  languages: readonly Language[];
  /** The lines of each field. */
  rows: number;
  register: (name: `texts.${Language}`) => UseFormRegisterReturn;
  errors: Partial<Record<string, FieldError>> | undefined;
}

/** A text in several languages. Those of applicants' pages scroll, and the buttons below stay in view. */
export function LanguageFields({ languages, rows, register, errors }: LanguageFieldsProps) {
  return (
    <div className={classes.texts}>
      {languages.map((language) => (
        <TextField
          key={language}
          label={LANGUAGES[language].name}
          lang={language}
          dir={LANGUAGES[language].direction}
          rows={rows}
          error={errors?.[language]?.message}
          {...register(`texts.${language}`)}
        />
      ))}
    </div>
  );
}
