import { contentApproved, contentEdited, contentRejected, experimentStarted } from '@hookline/shared/events';
import { type Consumer, on } from '@hookline/shared/service';
import type { SchedulingDeps } from '../deps.ts';
import { endRejected, holdEdited, recordExperiment, releaseApproved } from './decide.ts';

export function contentDecidedConsumer(deps: SchedulingDeps): Consumer {
  return {
    name: 'content-decided',
    reactions: [
      on(contentApproved, (tx, { data, sequence }) =>
        releaseApproved({ tx, now: deps.now() }, data.content, sequence),
      ),
      on(contentEdited, (tx, { subject: contentId, data: { version }, sequence }) =>
        holdEdited({ tx, now: deps.now() }, { contentId, version, sequence }),
      ),
      on(contentRejected, (tx, { data: { content }, sequence, time }) =>
        endRejected({ tx, now: deps.now() }, { content, sequence, at: new Date(time) }),
      ),
      on(experimentStarted, (tx, { accountId, data: { decks } }) => recordExperiment(tx, accountId, decks)),
    ],
  };
}
