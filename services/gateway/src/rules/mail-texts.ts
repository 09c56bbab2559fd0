import type { MailKind } from '../records/mail.ts';

export type MailText = { subject: string; text: string };

/**
 * @param url the link; null for a mail without one. `workspace` and `inviter` are names, `count` the
 * slideshows that wait, exact below 10,000.
 */
export function mailText(
  kind: MailKind,
  {
    url,
    workspace,
    inviter,
    count = 0,
  }: { url: string | null; workspace?: string; inviter?: string; count?: number },
): MailText {
  switch (kind) {
    case 'invitation':
      return {
        subject: oneLine(`You are invited to ${workspace} on Hookline`),
        text: `${oneLine(inviter ?? 'An owner')} invites you to the workspace ${oneLine(workspace ?? '')}.\n\nAccept within 7 days:\n${url}\n`,
      };
    case 'password_reset':
      return {
        subject: 'A new password for Hookline',
        text: `Somebody asked for a new password for this address. Set it within an hour:\n${url}\n\nIf it was not you, there is nothing to do: your password has not changed.\n`,
      };
    case 'email_verification':
      return {
        subject: 'Confirm your address for Hookline',
        text: `Confirm that this address is yours, within 3 days:\n${url}\n`,
      };
    case 'decks_waiting': {
      const many =
        count === 1 ? '1 slideshow waits' : `${count >= 10_000 ? '10,000 or more' : count} slideshows wait`;
      return {
        subject: oneLine(`${many} for your approval in ${workspace}`),
        text: `${many} for your approval in ${oneLine(workspace ?? '')}:\n${url}\n\nYou chose this mail for yourself in this workspace.\n`,
      };
    }
    case 'sign_in_slowed':
      return {
        subject: 'Many failed sign-ins to your Hookline account',
        text: 'More than 100 sign-ins with this address failed within 15 minutes. Addresses that never signed in to it are slowed down; where you signed in before, your password works as always. If your password is used elsewhere, change it.\n',
      };
  }
}

/** Names are given by users: none may end the subject or look like more of the text. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, 200);
}
