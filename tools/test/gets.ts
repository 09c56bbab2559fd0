import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyExceptions } from './exceptions.ts';
import { listFiles, listSources } from './source-files.ts';
import { createWriteFinder, isWrite, withoutComments } from './writes.ts';

const CONTRACT = /^export const (\w+) = (?:defineRoute|internalRoute)\(\{[\s\S]*?\bmethod: '([A-Z]+)'/gm;
// By a contract, `addRoute(app, contracts.getApp, …`, or by a method, `app.get('/console', …`.
const REGISTRATION = /^[ \t]*(?:return )?(?=add\w*Route\(|(?:app|scope)\.\w+[(<])/m;
const BY_METHOD = /^(?:app|scope)\.(get|post|put|patch|delete)(?:<[^(]*>)?\(\s*([^,]+),/;
const BY_OBJECT = /^app\.route\(\{\s*method: \[?'([A-Z]+)'[^}]*?url: ([^,]+),/;
const BY_CONTRACT = /^add\w*Route\(\s*(?:app|scope),(?: \w*[dD]eps,)?\s*(?:\w*[cC]ontracts\.)?(\w+)/;

/**
 * GET handlers that write, and why they may. A client, a browser or a proxy repeats a GET at will: the write
 * must do no harm however often it happens.
 */
const MAY_WRITE: Readonly<Record<string, string>> = {
  '/media/images/:id': 'stores the thumbnail that it had to make; the next request finds it',
  '/media/posts/:attempt/:n':
    'the first pull proves that the platform got the post; later ones write nothing',
  callbackPath:
    'the issuer returns a browser by a redirect; its code and its cookie are good for one sign-in',
  preflightContent: 'stores a renewed token and the options of the account, as every use of the account does',
  tiktokCallback: 'TikTok returns a browser by a redirect; the code is kept sealed for the POST that uses it',
};

type Handler = { name: string; method: string; text: string };

/**
 * GET handlers of the services that write, as lines. An exception that no handler needs is a complaint too.
 */
export function findWritingGets(
  root: string,
  exceptions: Readonly<Record<string, string>> = MAY_WRITE,
): string[] {
  const methods = readMethods(root);
  const { findWriter } = createWriteFinder(root);
  const writing = new Map<string, string[]>();
  for (const file of listSources(root, ['services'])) {
    const source = withoutComments(readFileSync(join(root, file), 'utf8'));
    for (const { name, text } of handlersIn(source, methods).filter(({ method }) => method === 'GET')) {
      const writer = isWrite(text) ? 'its own statements' : findWriter(file, text);
      if (writer) writing.set(name, [`${file}: GET ${name} writes, by ${writer}`]);
    }
  }
  return applyExceptions(writing, exceptions, name => `GET ${name} writes nothing`);
}

/** The method of each contract, by the contract's name. */
function readMethods(root: string): Map<string, string> {
  const folder = join(root, 'packages/shared/src/contracts');
  const texts = listFiles(folder, ['.ts']).map(file => readFileSync(join(folder, file), 'utf8'));
  return new Map(
    texts.flatMap(text => [...text.matchAll(CONTRACT)].map(([, id = '', method = '']) => [id, method])),
  );
}

/** Each registration up to the next one, or to the end of the function around it. */
function handlersIn(source: string, methods: ReadonlyMap<string, string>): Handler[] {
  return source
    .split(/^(?=\S)/m)
    .flatMap(statement => statement.split(REGISTRATION).slice(1))
    .flatMap(text => {
      const [, method, name] = BY_METHOD.exec(text) ?? BY_OBJECT.exec(text) ?? [];
      if (method && name) return [{ name: name.replaceAll(/['`]/g, ''), method: method.toUpperCase(), text }];
      const contract = BY_CONTRACT.exec(text)?.[1] ?? '';
      return [{ name: contract, method: methods.get(contract) ?? '', text }];
    });
}
