// Made by "npm run generate" from packages/shared/src/contracts: change it there.
export {};
