import { exampleIds } from '@hookline/shared/contracts/examples';

/** Prompts as `prompts/list` answers them. */
export const prompts = [
  {
    name: 'week_of_decks',
    title: 'A week of decks for an app',
    description: 'Writes seven decks for an app and asks a person to approve them. Costs up to 7 credits.',
    arguments: [
      { name: 'appId', description: `The id of the app, such as ${exampleIds.app}.`, required: true },
      { name: 'themes', description: 'What the decks should be about.', required: false },
    ],
  },
];

/** The text of a prompt; null: there is no such prompt, or its app is missing. */
export function promptText(name: string, given: Readonly<Record<string, string>> = {}): string | null {
  if (name !== 'week_of_decks' || !given.appId) return null;
  const themes = given.themes ? ` The themes are: ${given.themes}.` : '';
  return [
    `Write seven decks for the app ${given.appId}, one for each day of a week.${themes}`,
    'First call get_credits and list_decks, so that there are credits and no topic repeats.',
    'Write the hook, slides and closing of each yourself, only with what list_apps says of the app, and pass them to create_deck.',
    'Call request_approval for each deck, give me the links, and stop: I decide in the console.',
  ].join('\n');
}
