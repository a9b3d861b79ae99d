import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetails } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import { cannedTextsQuery } from './cannedTextCalls';
import { filled } from './cannedTextFields';

interface CannedTextMenuProps {
  order: OrderDetails;
  /** Takes the chosen text, with the order's values. */
  onChoose: (text: string) => void;
}

/** The member's texts for comments, to choose one. */
export function CannedTextMenu({ order, onChoose }: CannedTextMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const { data, isFetched } = useQuery({ ...cannedTextsQuery, enabled: anchor !== undefined });
  const comments = data?.texts.filter(({ purpose }) => purpose === 'comment') ?? [];
  const items = comments.map(({ id, title, texts }) => ({
    key: String(id),
    label: <bdi>{title}</bdi>,
    onClick: () => onChoose(filled(texts['en'] ?? '', order, 'en')),
  }));
  const edit = { key: 'edit', label: 'Canned texts…', to: paths.cannedTexts };
  return (
    <>
      <Button
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(anchor ? undefined : currentTarget)}
      >
        Insert text
      </Button>
      {anchor && isFetched && (
        <Menu
          label="Canned texts"
          anchor={anchor}
          items={[...items, edit]}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </>
  );
}
