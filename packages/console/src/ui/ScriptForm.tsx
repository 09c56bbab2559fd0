import type { ComponentProps, SubmitEvent } from 'react';

type Props = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit: (given: FormData, event: SubmitEvent<HTMLFormElement>) => void;
};

/** A form that is sent by script. */
export function ScriptForm({ onSubmit, className = 'grid gap-4', ...rest }: Props) {
  return (
    <form
      {...rest}
      className={className}
      onSubmit={event => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget), event);
      }}
    />
  );
}
