import './styles.css';
// Sends what an earlier page left, on every screen.
import './decisions.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { whenSignedOut } from './api.ts';
import { forgetReads } from './kept.ts';
import { queryClient } from './queries.ts';
import { router } from './router.tsx';

const openPages = ['/sign-in', '/sign-up', '/invitation', '/reset-password', '/verify-email', '/review'];

whenSignedOut(() => {
  forgetReads();
  const { pathname, publicHref } = router.state.location;
  if (openPages.includes(pathname)) return;
  const wasIn = queryClient.getQueryData(['session']) !== undefined;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { next: publicHref, ...(wasIn ? { ended: true } : {}) } });
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
