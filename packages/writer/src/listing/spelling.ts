/** Words that nobody writes so on purpose, with what is meant; `_` is a space. */
const meant: Record<string, string> = {
  en: "dont don't doesnt doesn't didnt didn't cant can't wont won't isnt isn't arent aren't wasnt wasn't couldnt couldn't wouldnt wouldn't shouldnt shouldn't havent haven't hasnt hasn't youre you're theyre they're whats what's thats that's hes he's shes she's theres there's ive I've im I'm youve you've youll you'll allready already allways always untill until upto up_to aswell as_well alot a_lot noone no_one infact in_fact wich which becouse because beacuse because definately definitely tommorow tomorrow recomend recommend recieve receive recieved received seperate separate seperately separately usefull useful beautifull beautiful succesful successful adress address accross across begining beginning enviroment environment occured occurred automaticly automatically initals initials loosing losing excersise exercise excersises exercises freind friend freinds friends wierd weird truely truly neccessary necessary",
  de: 'wieviel wie_viel wieviele wie_viele daß dass muß muss mußt musst läßt lässt bißchen bisschen garnicht gar_nicht standart Standard addresse Adresse rhytmus Rhythmus',
  es: 'numero número numeros números telefono teléfono telefonos teléfonos dia día dias días mas más facil fácil faciles fáciles rapido rápido rapida rápida rapidos rápidos rapidas rápidas ultimo último ultima última ultimos últimos asi así aqui aquí tambien también ademas además musica música codigo código codigos códigos pagina página paginas páginas camara cámara practico práctico practica práctica automatico automático automatica automática historico histórico calculos cálculos ningun ningún segun según despues después telefonico telefónico galpon galpón',
  pt: 'voce você voces vocês nao não tambem também facil fácil faceis fáceis rapido rápido rapida rápida numero número numeros números musica música musicas músicas codigo código pagina página paginas páginas automatico automático automatica automática ultimo último ultima última historico histórico alem além so só ja já',
  fr: 'deja déjà apres après tres très meme même impots impôts telephone téléphone numero numéro numeros numéros gerer gérer creer créer ecran écran ecole école bientot bientôt plutot plutôt',
};
const endings: Record<string, [RegExp, string][]> = {
  es: [[/(?<=\p{L}{2})cion$/u, 'ción']],
  pt: [
    [/(?<=\p{L}{3})cao$/u, 'ção'],
    [/(?<=\p{L}{2})coes$/u, 'ções'],
  ],
};

const tables = new Map(
  Object.entries(meant).map(([language, words]) => {
    const pairs = words.split(' ').map(word => word.replaceAll('_', ' '));
    return [language, new Map(pairs.flatMap((word, i) => (i % 2 === 0 ? [[word, pairs[i + 1]!]] : [])))];
  }),
);

/** A listing with its plainest misspellings corrected, but not in the name of the app. */
export function correctSpelling(text: string, language: string, name: string): string {
  const table = tables.get(language);
  if (!table) return text;
  const kept = new Set(name.match(/\p{L}+/gu));
  return text.replace(/(?<![\p{L}@/.'’])\p{L}{2,}(?![\p{L}@/'’]|\.\p{L})/gu, word => {
    if (kept.has(word)) return word;
    const lower = word.toLowerCase();
    const [ending, end] = endings[language]?.find(([pattern]) => pattern.test(lower)) ?? [];
    const right = table.get(lower) ?? (ending ? lower.replace(ending, end!) : undefined);
    if (right === undefined) return word;
    if (word === word.toUpperCase()) return right.toUpperCase();
    return word === lower ? right : right.charAt(0).toUpperCase() + right.slice(1);
  });
}
