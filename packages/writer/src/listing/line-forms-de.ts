import { upperFirst } from '../upper-first.ts';

type Form = 'infinitive' | 'predicate' | 'noun';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** First words of lines that cannot be used as a phrase. */
const fragments = words(`
  kein keine keinen ohne nie nicht auch jetzt wer wie was wo wann warum welche welcher welches damit weil wenn ob mit für von
  zu zum zur bei nach aus in im am an auf so sogar nur schon bald endlich alles
`);

/** Third-person verbs that open a line about what the app does: "Zählt deine Bahnen". */
const predicates = words(`
  zählt erinnert warnt zeigt sagt rechnet merkt findet schlägt schreibt sortiert misst hört erkennt speichert sammelt
  berechnet druckt schickt meldet verbindet gleicht hält führt übersetzt liest wählt funktioniert läuft hilft lässt gibt
  macht bringt ordnet schätzt weckt löscht vergisst nennt kennt passt sucht nimmt stellt spielt wiegt markiert trennt räumt
`);

/** Imperatives and their infinitives: "Finde die freie Bahn". */
const orders = new Map(
  `
  finde=finden plane=planen zähle=zählen sieh=sehen schau=schauen tausche=tauschen teile=teilen notiere=notieren
  miss=messen buche=buchen reserviere=reservieren wähle=wählen speichere=speichern speicher=speichern
  vergleiche=vergleichen übe=üben lerne=lernen sammle=sammeln schreib=schreiben schreibe=schreiben mach=machen
  mache=machen lade=laden markiere=markieren verfolge=verfolgen sortiere=sortieren drucke=drucken schick=schicken
  schicke=schicken sende=senden frag=fragen frage=fragen leg=legen lege=legen halte=halten halt=halten bring=bringen
  bringe=bringen nimm=nehmen leih=leihen leihe=leihen hol=holen hole=holen zeichne=zeichnen scanne=scannen
  fotografiere=fotografieren prüfe=prüfen erfasse=erfassen entdecke=entdecken erstelle=erstellen behalte=behalten
  stell=stellen stelle=stellen trag=tragen trage=tragen lies=lesen hör=hören höre=hören sprich=sprechen gib=geben
  such=suchen suche=suchen ordne=ordnen räum=räumen räume=räumen wiege=wiegen stoppe=stoppen verschenke=verschenken verleih=verleihen verkaufe=verkaufen vereinbare=vereinbaren besprich=besprechen verteile=verteilen melde=melden
  lösche=löschen kombiniere=kombinieren verwalte=verwalten dokumentiere=dokumentieren lass=lassen setz=setzen
  setze=setzen zeig=zeigen zeige=zeigen ruf=rufen rufe=rufen lade=laden wirf=werfen bestimme=bestimmen
  protokolliere=protokollieren
  `
    .trim()
    .split(/\s+/)
    .map(pair => pair.split('=') as [string, string]),
);

const prefixes =
  /^(?:ab|an|auf|aus|ein|mit|vor|zu|zurück|weiter|fest|nach|um|durch|los|weg|heraus|zusammen)$/;

/**
 * "Leg die Probe ab, bevor …" as an infinitive phrase: "Die Probe ablegen, bevor …"; null for any other line.
 */
export function germanInfinitive(text: string): string | null {
  const [clause = '', ...rest] = text.split(/(?=,\s)/);
  const [first = '', ...others] = clause.split(' ');
  // In "Verschenke, was du nicht schaffst, an die Nachbarn" there is no place for the infinitive.
  const infinitive = rest.length > 1 ? undefined : orders.get(first.toLowerCase());
  // "Suche nach Farbe" and "Plane mit Ösen" are nouns.
  const isOrder =
    infinitive !== undefined &&
    /^(?:d(?:ie|er|as|en|em|ein\p{L}*)|ein\p{L}*|jede\p{L}*|alle\p{L}*|all\p{L}*|\p{Ll}+e[nrs]?|\p{Lu}\p{L}+|zwei|drei|was|wer|wo|wann|wie)$/u.test(
      others[0] ?? '',
    ) &&
    !/^(?:nach|mit|für|von|im|in|zu|ohne)$/.test(others[0] ?? '');
  // "Notiere, wo die Königin war".
  if (infinitive !== undefined && others.length === 0 && rest.length > 0)
    return upperFirst(infinitive) + rest.join('');
  if (!isOrder) return null;
  const prefix = prefixes.test(others.at(-1)!) ? others.pop()! : '';
  const phrase = [...others, prefix + infinitive].join(' ');
  return upperFirst(phrase) + rest.join('');
}

/**
 * The form of a line of a German listing: something to do as an infinitive phrase, what the app does, or the
 * name of a thing.
 */
export function formOfGerman(text: string): Form | null {
  const first = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? '';
  if (fragments.has(first)) return null;
  if (predicates.has(first)) return 'predicate';
  const [clause = ''] = text.split(',');
  if (clause.includes(' ') && /(?<!\p{L})\p{Ll}{2,}(?:en|ern|eln)$/u.test(clause)) {
    return text.includes(':') || / (?:wird|werden|kann|können|ist|sind) /.test(text) ? null : 'infinitive';
  }
  return /^\p{Lu}/u.test(text) &&
    !/(?<!\p{L})(?:ist|sind|wird|werden|kann|können|hat|haben|bekommt|bekommen|kommt|kommen|geht|gehen|bleibt|bleiben|steht|stehen|liegt|liegen|sieht|sehen|zeigt|lesen|sagt|weiß)(?!\p{L})/u.test(
      clause,
    )
    ? 'noun'
    : null;
}
