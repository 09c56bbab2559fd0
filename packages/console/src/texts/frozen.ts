/** The texts of the line above every screen of a workspace that is being deleted. */
export const frozenTexts = {
  requested: 'This workspace is deleted on',
  frozen: 'Until then it is frozen: you can look at everything, and nothing can be changed or goes out.',
} as const;
