import './ui/fonts.css';
import './ui/tokens.css';
import './ui/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { App } from './app/App';
import { watchSession } from './app/watchSession';

// Compiled validators need eval, which the content security policy forbids.
z.config({ jitless: true });
watchSession();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
