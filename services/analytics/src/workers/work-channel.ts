/** Notified when a post was registered or a source connected. */
export const workChannel = 'analytics_work';
