import type { MailKind } from './record.ts';

export type MailText = { subject: string; text: string };

/**
 * @param url the link; null for a mail without one. `workspace`, `inviter` and `person` are names, `count` the
 * slideshows that wait, exact below 10,000, the credits left, or the things that happened, of which `lines` are the
 * last.
 */
export function mailText(
  kind: Exclude<MailKind, 'week'>,
  {
    url,
    workspace = '',
    inviter = 'An owner',
    person = '',
    count = 0,
    lines = [],
  }: {
    url: string | null;
    workspace?: string;
    inviter?: string;
    person?: string;
    count?: number;
    lines?: readonly string[];
  },
): MailText {
  switch (kind) {
    case 'invitation':
      return {
        subject: `You are invited to ${quoted(workspace)} on Hookline`,
        text: `${quoted(inviter)} invites you to the workspace ${quoted(workspace)}.\n\nAccept within 7 days:\n${url}\n\nIf you do not know who that is, do nothing.\n`,
      };
    case 'password_reset':
      return {
        subject: 'A new password for Hookline',
        text: `Somebody asked for a new password for this address. Set it within an hour:\n${url}\n\nIf it was not you, there is nothing to do: your password has not changed.\n`,
      };
    case 'email_verification':
      return {
        subject: 'Confirm your address for Hookline',
        text: `Somebody who goes by ${quoted(person)}\ngave this address for an account of Hookline.\n\nIf it was you, confirm it within 3 days, signed in or with your password:\n${url}\n\nIf it was not you, do nothing: the address stays unconfirmed.\n`,
      };
    case 'decks_waiting': {
      const many =
        count === 1 ? '1 slideshow waits' : `${count >= 10_000 ? '10,000 or more' : count} slideshows wait`;
      return {
        subject: `${many} for your approval in ${quoted(workspace)}`,
        text: `${many} for your approval in ${quoted(workspace)}:\n${url}\n\nYou chose this mail for yourself in this workspace.\n`,
      };
    }
    case 'nothing_new':
      return {
        subject: `An automation of ${quoted(workspace)} has nothing new to post`,
        text: `An automation of ${quoted(workspace)} made no deck: it would have repeated one of the last 60 days. It tries again at each posting time, and you get no other mail about it before it has made a deck.\n\nGive it topics, connect a text model or refresh the listing of the app:\n${url}\n`,
      };
    case 'post_due':
      return {
        subject: `${count === 1 ? 'A post of' : `${count} posts of`} ${quoted(workspace)} ${count === 1 ? 'is' : 'are'} due on your phone`,
        text: `It is time to post. Open this on the phone that has the account:\n${listed(lines, count)}\nNothing is posted by itself: share the slides to TikTok there, then press Posted.\nAll that is planned: ${url}\n`,
      };
    case 'post_failed':
      return {
        subject: `${count === 1 ? 'A post' : `${count} posts`} of ${quoted(workspace)} failed`,
        text: `${listed(lines, count)}\nWhy, and what to do:\n${url}\n`,
      };
    case 'account_reconnect':
      return {
        subject: `${count === 1 ? 'An account' : `${count} accounts`} of ${quoted(workspace)} must be connected again`,
        text: `TikTok accepts no more posts from Hookline to:\n${listed(lines, count)}\nNothing is posted there until an owner connects it again:\n${url}\n`,
      };
    case 'link_decided':
      return {
        subject: `${count === 1 ? 'A decision' : `${count} decisions`} by link on decks of ${quoted(workspace)}`,
        text: `Whoever has the link that you made decided:\n${listed(lines, count)}\nAll decks:\n${url}\n`,
      };
    case 'credits_low':
      return {
        subject: `${quoted(workspace)} has ${count === 0 ? 'no' : 'few'} credits left`,
        text: `${count === 0 ? 'No credit is left, and no slideshow is made before more are granted' : `${count === 1 ? '1 credit is' : `${count} credits are`} left, a fifth of the last grant`}:\n${url}\n`,
      };
    case 'sign_in_changed':
      return {
        subject: 'The sign-in to your Hookline account has changed',
        text: `${lines.join('\n')}\n\nIf it was not you, set another password, end all other sessions, and remove passkeys that are not yours:\n${url}\n`,
      };
    case 'sign_in_slowed':
      return {
        subject: 'Many failed sign-ins to your Hookline account',
        text: 'More than 100 sign-ins with this address failed within 15 minutes. Addresses that never signed in to it are slowed down; where you signed in before, your password works as always. If your password is used elsewhere, change it.\n',
      };
  }
}

function listed(lines: readonly string[], count: number): string {
  const more = count - lines.length;
  return [...lines, ...(more > 0 ? [`${more} more`] : [])].map(line => `- ${line}\n`).join('');
}

/**
 * A name that a user gave, which may neither end the subject nor pass for more of the text, nor become a link in
 * the reader's mail program: a dot stays in a decimal alone. One that is written from right to left is isolated: it
 * would take the numbers behind it along.
 */
export function quoted(name: string): string {
  const text = name
    .replaceAll(
      /((?<!\d\.?)\d+\.\d+(?!\.?\d))|[\s\p{Cc}\p{Cf}]+|:\/\/|[.。．｡]/gu,
      (_, decimal?: string) => decimal ?? ' ',
    )
    .replaceAll("'", '’')
    .trim();
  const letters = [...text];
  const shown = `'${letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : text}'`;
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u.test(text) ? `\u2068${shown}\u2069` : shown;
}

/** Attempts of a mail: over about 9 hours, after which nobody waits for it. */
const mailAttemptsMax = 10;

/** The wait is 1 min, then doubles to 2 hours at most; null gives up. */
export function waitAfterAttempt(attempts: number): number | null {
  if (attempts >= mailAttemptsMax) return null;
  return Math.min(60_000 * 2 ** (attempts - 1), 7_200_000);
}
