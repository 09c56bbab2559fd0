import { createPositionCursor } from '@hookline/shared/contracts';

export const feedCursor = createPositionCursor('feed', 'feed');
