import { upperFirst } from '../upper-first.ts';

type Form = 'imperative' | 'noun';

/** Words that end like infinitives but are not. */
const nouns =
  /^(?:lugar|hogar|mar|taller|mujer|alquiler|calendar|par|bar|lunar|familiar|color|ayer|ser|poder|celular|popular)$/;

/** First words of lines that cannot be used as a phrase. */
const fragments =
  /^(?:sin|no|te|se|me|nos|con|para|por|de|en|a|al|y|o|que|qué|quién|cómo|cuándo|dónde|si|todo|ya|ahora|también|solo|funciona|nunca|siempre)$/;

/**
 * Imperatives, which are also the third person, and their infinitives: "Reserva tu pista", "Cuenta tus
 * largos".
 */
const orders = new Map(
  `
  reserva=reservar apunta=apuntar anota=anotar mira=mirar compara=comparar elige=elegir encuentra=encontrar
  cuenta=contar mide=medir comparte=compartir envía=enviar manda=mandar guarda=guardar busca=buscar
  planifica=planificar organiza=organizar prepara=preparar crea=crear dibuja=dibujar practica=practicar repite=repetir
  escucha=escuchar graba=grabar marca=marcar ordena=ordenar etiqueta=etiquetar borra=borrar limpia=limpiar
  pregunta=preguntar cambia=cambiar cancela=cancelar imprime=imprimir escribe=escribir lee=leer pon=poner
  consulta=consultar registra=registrar añade=añadir descubre=descubrir identifica=identificar sigue=seguir deja=dejar
  pesa=pesar calcula=calcular divide=dividir paga=pagar cobra=cobrar presta=prestar pide=pedir fotografía=fotografiar
  escanea=escanear combina=combinar ajusta=ajustar asigna=asignar reparte=repartir llena=llenar invita=invitar
  exporta=exportar controla=controlar revisa=revisar ensaya=ensayar estudia=estudiar aprende=aprender toca=tocar
  canta=cantar ve=ver filtra=filtrar localiza=localizar avisa=avisar recuerda=recordar agrupa=agrupar
  clasifica=clasificar entrega=entregar dicta=dictar documenta=documentar une=unir afina=afinar traza=trazar
  riega=regar
  `
    .trim()
    .split(/\s+/)
    .map(pair => pair.split('=') as [string, string]),
);

const objects =
  /^(?:el|la|los|las|un|una|unos|unas|tu|tus|su|sus|cada|qué|quién|cuánto|cuánta|cuántos|cuántas|dónde|cuándo|cuál|lo|todo|toda|todos|todas|dos|tres|a|al|con|en|entre|cualquier|otro|otra|este|esta|nuevos|nuevas|por|antes|diez|cinco)$/;

/** "Reserva tu pista" as an infinitive phrase: "Reservar tu pista"; null for any other line. */
export function spanishInfinitive(text: string): string | null {
  const [first = '', second = '', ...rest] = text.split(' ');
  const infinitive = orders.get(first.toLowerCase());
  if (infinitive === undefined || !objects.test(second)) return null;
  // "… y guárdalo como texto" is a second imperative, which would have to be converted as well.
  const phrase = [infinitive, second, ...rest]
    .join(' ')
    .replace(/,? (?:y|o) \p{L}+(?:l[aoe]s?)(?= |$).*$/u, '');
  return upperFirst(phrase);
}

/** The form of a line of a Spanish listing: something to do (from its infinitive) or the name of a thing. */
export function formOfSpanish(text: string): Form | null {
  const first = /^\p{L}+/u.exec(text)?.[0].toLowerCase() ?? '';
  if (fragments.test(first)) return null;
  if (/\p{L}{2}(?:ar|er|ir)$/u.test(first) && !nouns.test(first)) return 'imperative';
  // "El plan se reajusta" is a sentence, not the name of a thing.
  return / (?:se|te|es|está|son|están|puede|pueden) /.test(text.split(',')[0]!) ? null : 'noun';
}
