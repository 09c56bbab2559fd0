import { RenderBusyError, RenderThreadError } from '@hookline/slides';
import { expect, it } from 'vitest';
import { readSample } from './samples.ts';

it.each([RenderBusyError, RenderThreadError])(
  '503 with Retry-After when the samples cannot be drawn: %o',
  async Kind => {
    const asked = readSample({ samples: () => Promise.reject(new Kind('busy')) }, 'quote-card-1.jpg');
    await expect(asked).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
  },
);
