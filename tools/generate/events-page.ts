import { publicEventTypes } from '@hookline/shared/contracts/webhooks';
import type { EventDefinition } from '@hookline/shared/events';
import { page, table } from './markdown.ts';

const isPublic = (type: string): boolean => (publicEventTypes as readonly string[]).includes(type);

const anchor = (type: string): string => `[\`${type}\`](#${type.replaceAll('.', '')})`;

export function eventsPage(events: readonly EventDefinition[]): string {
  return page(
    '# Events',
    'The events that the services exchange over the bus. A message is a CloudEvent 1.0 in binary mode: `ce_*` headers ' +
      '(`ce_type`, `ce_dataversion`, `ce_sequence`, …) and `traceparent`, the JSON below as its value, the id of ' +
      'the resource as its key. Messages of one key keep their order within a topic. A message may come twice; its ' +
      'effect happens once. Messages that no consumer can process are in `<topic>.dlq`.',
    'Those marked public also reach callers, by webhook and at `GET /events`, as ' +
      '`{ id, type, timestamp, createdAt, sequence, data }`, where `data` is the job, the content or the schedule ' +
      'as the API answers it, with links in place of image ids. The feed alone has `webhook.disabled`.',
    table(
      ['type', 'version', 'topic', 'public', 'meaning'],
      events.map(({ type, version, topic, about }) => [
        anchor(type),
        String(version),
        `\`${topic}\``,
        isPublic(type) ? 'yes' : '',
        about,
      ]),
    ),
    ...events.flatMap(chapter),
  );
}

function chapter({ type, version, topic, about, example }: EventDefinition): string[] {
  return [
    `## ${type}`,
    `${about} Version ${version}, topic \`${topic}\`.`,
    `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ];
}
