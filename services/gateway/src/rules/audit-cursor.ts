import { createPositionCursor } from '@hookline/shared/contracts';

export const auditCursor = createPositionCursor('audit', 'list');
