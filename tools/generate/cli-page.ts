import { documentIo } from '../../packages/cli/src/document-io.ts';
import { createProgram, exitCodeRows } from '../../packages/cli/src/program.ts';
import { page, table } from './markdown.ts';

type Command = ReturnType<typeof createProgram>;

/** The reference of the command line: what its help texts say. */
export function cliPage(): string {
  const program = createProgram(documentIo);
  const commands = program.commands.flatMap(command =>
    command.commands.length > 0 ? command.commands : [command],
  );
  return page(
    '# Command line',
    '`hookline` is in `packages/cli`, whose README shows a session.',
    table(
      ['command', 'does'],
      commands.map(command => [`[\`${callOf(command)}\`](#${anchorOf(command)})`, command.description()]),
    ),
    '## For every command',
    table(['flag', 'does'], optionRows(program)),
    table(
      ['exit code', 'meaning'],
      exitCodeRows.map(([code, meaning]) => [String(code), meaning]),
    ),
    ...commands.flatMap(sectionOf),
  );
}

/** `content create`, with its arguments where `call` asks for them. */
function pathOf(command: Command): string {
  const above = command.parent?.parent ? `${command.parent.name()} ` : '';
  return `${above}${command.name()}`;
}

function callOf(command: Command): string {
  const names = command.registeredArguments.map(argument =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [pathOf(command), ...names].join(' ');
}

const anchorOf = (command: Command): string => pathOf(command).replaceAll(' ', '-');

function optionRows(command: Command): string[][] {
  return command.options.map(({ flags, description, defaultValue }) => {
    const isShown = defaultValue !== undefined && defaultValue !== true && String(defaultValue) !== '';
    return [`\`${flags}\``, isShown ? `${description} (default: ${String(defaultValue)})` : description];
  });
}

function sectionOf(command: Command): string[] {
  let help = '';
  command.configureOutput({ writeOut: text => (help += text) }).outputHelp();
  // Options are in the table; what was added by hand follows them in the help.
  const added = help
    .split('\n\n')
    .slice(1)
    .join('\n\n')
    .split(/Global Options:\n(?: .*\n)+/)[1]
    ?.trim();
  return [
    `## ${pathOf(command)}`,
    `\`hookline ${callOf(command)}\`: ${command.description()}.`,
    ...(command.options.length > 0 ? [table(['flag', 'does'], optionRows(command))] : []),
    ...(added ? [`\`\`\`text\n${added}\n\`\`\``] : []),
  ];
}
