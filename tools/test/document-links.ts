import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LINK = /!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;

/** The text without fenced blocks and inline code, where brackets are not links. */
function prose(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The anchors that GitHub gives to a document's headings. */
function headingAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const base = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The broken relative links of the documents, as `file: target` lines; web addresses are not checked. */
export function findDeadLinks(root: string, documents: readonly string[]): string[] {
  const dead: string[] = [];
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, target] of prose(text).matchAll(LINK)) {
      if (!leadsSomewhere(root, document, target!)) dead.push(`${document}: ${target}`);
    }
  }
  return dead;
}

function leadsSomewhere(root: string, document: string, target: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith('//')) return true;
  const [path = '', anchor] = decodeURI(target).split('#');
  const base = path.startsWith('/') ? root : join(root, dirname(document));
  const file = path === '' ? join(root, document) : join(base, path);
  if (!existsSync(file)) return false;
  const isDocument = file.endsWith('.md') && statSync(file).isFile();
  return anchor === undefined || !isDocument || headingAnchors(readFileSync(file, 'utf8')).has(anchor);
}
