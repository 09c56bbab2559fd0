import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api.ts';
import { listOf, rowsOf } from '../../queries.ts';
import { texts } from '../../texts/shell.ts';
import { workTexts } from '../../texts/work.ts';
import type { Content } from '../../types.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorBox } from '../../ui/ErrorBox.tsx';
import { Checkbox, Group, Select } from '../../ui/Field.tsx';
import { Shown } from '../../ui/Shown.tsx';
import { showToast } from '../../ui/Toast.tsx';
import { useAction } from '../../ui/useAction.ts';

const words = workTexts.compareHooks;
type Wanted = { against: string[]; readAfterHours: number };

/** Names which decks are compared by their hooks, before any is posted. */
export function CompareHooks({ content }: { content: Content }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.open}</Button>
      {isOpen && <CompareDialog content={content} onClose={() => setOpen(false)} />}
    </>
  );
}

function CompareDialog({
  content: { id, appId, result },
  onClose,
}: {
  content: Content;
  onClose: () => void;
}) {
  const filter = { appId, approvalStatus: 'approved', scheduled: 'false' };
  const list = useInfiniteQuery(listOf<Content>(['content', 'to-compare'], '/content', filter, 100));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const start = useAction<Wanted>((body, key) => api.post(`/content/${id}/experiment`, body, { key }), {
    changes: ['numbers'],
    onDone: () => {
      showToast({ text: words.started });
      onClose();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const readAfterHours = Number(new FormData(event.currentTarget).get('hours'));
    start.mutate({ against: [...chosen], readAfterHours });
  };
  const others = rowsOf(list).filter(row => row.id !== id && row.result);
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={<Button onClick={onClose}>{texts.common.close}</Button>}
    >
      <p className="text-soft">{words.lead}</p>
      <Shown query={list}>
        {() =>
          others.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <form className="grid gap-4" onSubmit={submit}>
              <p className="break-words">{words.hook(result?.hook ?? '')}</p>
              <Group legend={words.against}>
                {others.map(row => (
                  <Checkbox
                    key={row.id}
                    label={row.result?.hook ?? ''}
                    checked={chosen.includes(row.id)}
                    onChange={({ target }) =>
                      setChosen(before =>
                        target.checked ? [...before, row.id] : before.filter(one => one !== row.id),
                      )
                    }
                  />
                ))}
              </Group>
              <Select label={words.hours} name="hours" defaultValue="48">
                {words.durations.map(([hours, name]) => (
                  <option key={hours} value={hours}>
                    {name}
                  </option>
                ))}
              </Select>
              <p className="text-sm text-soft">{words.honest}</p>
              {start.error && <ErrorBox error={start.error} />}
              <Button
                type="submit"
                tone="primary"
                disabled={chosen.length === 0}
                busy={start.isPending}
                className="justify-self-start"
              >
                {words.start}
              </Button>
            </form>
          )
        }
      </Shown>
    </Dialog>
  );
}
