/** What the gateway answers to an attack that a bound holds back. */
const heldBack = ['429', '503', '504'];

/** The outcome that shows that a request did what the attack is about. */
export const effects = {
  'hanging webhooks': '200',
  'moved webhooks': '200 after asking for its name',
  edits: '200',
  decks: '201',
  'unfinished bodies': 'closed',
} as const;

export type AttackName = keyof typeof effects;

/**
 * How often an attack had its effect, and the answers that nobody attacks with: a refusal of what was sent.
 */
export function judgeAttack(
  name: AttackName,
  outcomes: ReadonlyMap<string, number>,
): { effect: number; complaints: string[] } {
  const complaints = [...outcomes]
    // What is no status is a connection that was lost, which may be a bound too.
    .filter(([outcome]) => /^\d/.test(outcome) && outcome !== effects[name] && !heldBack.includes(outcome))
    .map(
      ([outcome, count]) => `${name}: ${count} were answered ${outcome}, which does not count as the attack`,
    );
  return { effect: outcomes.get(effects[name]) ?? 0, complaints };
}
