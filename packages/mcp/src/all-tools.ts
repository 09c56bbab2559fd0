/**
 * Every tool, in the order in which clients see them. There is none that approves or rejects: an
 * agent's key that has the scope gets no tool for it, because nothing that a client sends proves that a
 * person looked at the deck.
 */
import type { Scope } from '@hookline/shared/contracts/scopes';
import type { Tool } from './tool.ts';
import { importApp, listApps, listPictures, setBrand } from './tools/apps.ts';
import {
  createAutomation,
  listAutomations,
  pauseAutomation,
  previewAutomation,
} from './tools/automations.ts';
import {
  checkDeck,
  createDeck,
  createDecks,
  editDeck,
  getDeck,
  listDecks,
  listTemplates,
  requestApproval,
} from './tools/decks.ts';
import { addPost, compareHooks, listExperiments } from './tools/experiments.ts';
import {
  compareDecks,
  enterResults,
  getCredits,
  getNumbers,
  getResults,
  recentEvents,
} from './tools/numbers.ts';
import {
  cancelSchedule,
  listAccounts,
  listSchedules,
  moveSchedule,
  retrySchedule,
  scheduleDeck,
  why,
} from './tools/schedules.ts';

export const allTools: readonly Tool[] = [
  listApps,
  importApp,
  listPictures,
  setBrand,
  listTemplates,
  listDecks,
  getDeck,
  createDeck,
  createDecks,
  editDeck,
  checkDeck,
  requestApproval,
  listAccounts,
  scheduleDeck,
  listSchedules,
  moveSchedule,
  cancelSchedule,
  retrySchedule,
  why,
  listAutomations,
  createAutomation,
  previewAutomation,
  pauseAutomation,
  getCredits,
  getNumbers,
  getResults,
  enterResults,
  addPost,
  compareDecks,
  compareHooks,
  listExperiments,
  recentEvents,
];

/** The tools that a key of these scopes can use. */
export function toolsFor(scopes: readonly Scope[]): Tool[] {
  return allTools.filter(tool => tool.scopes.every(scope => scopes.includes(scope)));
}
