import { Argument, type Command } from 'commander';
import { usage } from '../failure.ts';
import type { Bind } from '../run.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export function addCompletion(program: Command, bind: Bind): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', shells.join(', ')))
    .description('print a script that completes commands, flags and ids')
    .addHelpText(
      'after',
      `
Examples:
  hookline completion bash > ~/.local/share/bash-completion/completions/hookline
  hookline completion zsh > "\${fpath[1]}/_hookline"
  hookline completion fish > ~/.config/fish/completions/hookline.fish`,
    )
    .action(
      bind(async (run, shell: string) => {
        const script = scripts[shell];
        if (script === undefined)
          throw usage(`There is no completion for "${shell}"; there is ${shells.join(', ')}.`);
        run.out.text(script(wordsOf(program)));
      }),
    );
}

/** For each command, by its path (`content create`): its subcommands, its flags, and whose ids it takes. */
export type Words = readonly {
  path: string;
  about: string;
  commands: Command[];
  flags: string[];
  ids: string | undefined;
}[];

/** By the name of the argument, the command that lists such records. */
const listings: Readonly<Record<string, string>> = {
  contentId: 'content',
  automationId: 'automations',
  webhookId: 'webhooks',
};

/** Prints the newest ids; in every shell. */
function idsOf(listing: string): string {
  const prefix = listing.replace(/s$/, '');
  return `hookline ${listing} ls --json --limit 50 2>/dev/null | grep -oE '"id":"${prefix}_[0-9a-z]+' | cut -d '"' -f 4`;
}

export function wordsOf(program: Command): Words {
  const globals = flagsOf(program);
  const visit = (command: Command, path: string): Words => [
    {
      path,
      about: command.description(),
      commands: [...command.commands],
      flags: [...flagsOf(command), ...(command === program ? [] : globals), '--help'],
      ids: listings[command.registeredArguments[0]?.name() ?? ''],
    },
    ...command.commands.flatMap(child => visit(child, `${path} ${child.name()}`.trim())),
  ];
  return visit(program, '');
}

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => (long ? [long] : []));
}

/** Asks for ids only where no flag is begun. */
const bashIds = Object.values(listings)
  .map(one => `    "${one}") [[ "\${COMP_WORDS[COMP_CWORD]}" == -* ]] || words="$words $(${idsOf(one)})" ;;`)
  .join('\n');

const scripts: Readonly<Record<string, (words: Words) => string>> = {
  bash: words => `# bash completion of hookline
_hookline() {
  local command="" word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$command $word" in
${words
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path.includes(' ') ? path : ` ${path}`}") command="${path}" ;;`)
  .join('\n')}
    esac
  done
  local words listing=""
  case "$command" in
${words.map(({ path, commands, flags, ids }) => `    "${path}") words="${[...commands.map(one => one.name()), ...flags].join(' ')}"${ids ? ` listing="${ids}"` : ''} ;;`).join('\n')}
  esac
  case "$listing" in
${bashIds}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hookline hookline
`,
  zsh: words => `#compdef hookline
_hookline() {
  local command="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
${words
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path.includes(' ') ? path : ` ${path}`}") command="${path}" ;;`)
  .join('\n')}
    esac
  done
  local -a commands flags ids
  case "$command" in
${words
  .map(({ path, commands, flags, ids }) => {
    const described = commands.map(one => `'${one.name()}:${one.description().replace(/[':]/g, ' ')}'`);
    return `    "${path}") commands=(${described.join(' ')}); flags=(${flags.join(' ')})${ids ? ` ids=($(${idsOf(ids)}))` : ''} ;;`;
  })
  .join('\n')}
  esac
  (( \${#commands} )) && _describe 'command' commands
  compadd -- $flags $ids
  _files
}
compdef _hookline hookline
`,
  fish: words => `# fish completion of hookline
function __hookline_command
  set -l command ""
  for word in (commandline -opc)[2..]
    switch "$command $word"
${words
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      case "${path.includes(' ') ? path : ` ${path}`}"\n        set command "${path}"`)
  .join('\n')}
    end
  end
  echo $command
end
${words
  .flatMap(({ path, commands, flags, ids }) => [
    ...(ids
      ? [
          `complete -c hookline -f -n 'test (__hookline_command) = "${path}"' -a '(${idsOf(ids).replaceAll("'", String.raw`\'`)})'`,
        ]
      : []),
    ...commands.map(
      one =>
        `complete -c hookline -f -n 'test (__hookline_command) = "${path}"' -a ${one.name()} -d '${one.description().replace(/'/g, '')}'`,
    ),
    ...flags.map(
      flag => `complete -c hookline -n 'test (__hookline_command) = "${path}"' -l ${flag.slice(2)}`,
    ),
  ])
  .join('\n')}
`,
};
