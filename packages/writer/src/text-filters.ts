import banList from '../data/ban-list.json' with { type: 'json' };
import brandList from '../data/brand-list.json' with { type: 'json' };
import refusedTopics from '../data/refused-topics.json' with { type: 'json' };

/** Compiles "unlock*" and "level up" into one pattern for lower case; `*` matches any word ending. */
function compilePhrases(phrases: readonly string[]): RegExp {
  const parts = phrases.map(phrase => {
    const isOpen = phrase.endsWith('*');
    const text = RegExp.escape(phrase.replace(/\*$/, ''));
    return isOpen ? text : `${text}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})`, 'u');
}

const banned = compilePhrases(banList.phrases);
const refused = compilePhrases(refusedTopics.words);

/**
 * One pattern of several, for a text in lower case. Its letters are Latin ones: with `\p{L}` and without case it took
 * 150 ms to compile.
 */
const anyOf = (...parts: RegExp[]) => new RegExp(parts.map(({ source }) => source).join('|'), 'u');

const many =
  /(?:\d{1,3}(?:[.,'’\s\u202f]\d{3})+\+?|\d{4,}\+?|\d+(?:[.,]\d+)?\s?(?:k\b|\+|mil\b|tsd\b|tausend|million[a-zß-ÿ]*|mio\b\.?|millones|millón|milhões|milhão|milion[a-zß-ÿ]*)|(?<![a-zß-ÿ])(?:thousands|hundreds|millions|tausende|hunderte|millionen|miles|cientos|millones|milliers|centaines|milhares|centenas|milhões|migliaia|centinaia|milioni)(?![a-zß-ÿ]))/u;
const uses =
  /(?:use|trust|love|registered|registrad[ao]s?|inscrits?|angemeldet|nutzen|benutzen|vertrauen|usan|confían|utilisent|usam|confiam|usano)(?![a-zß-ÿ])/u;
const others =
  /(?:users?|people|customers|famil(?:y|ies)|households|parents|mums|moms|teams|companies|businesses|students|players|runners|members|fans|downloads?|installs?|reviews?|ratings?|nutzer[a-zß-ÿ]*|[a-zß-ÿ]*schüler[a-zß-ÿ]*|menschen|leute|familien|kund[a-zß-ÿ]*|haushalte[a-zß-ÿ]*|eltern|bewertungen|usuari[a-zß-ÿ]*|personas|familias|clientes|descargas|reseñas|valoraciones|utilisat[a-zß-ÿ]+|personnes|familles|clients|téléchargements|avis|usuári[a-zß-ÿ]*|pessoas|famílias|downloads|avaliações|utenti|persone|famiglie|clienti|recensioni|scaricamenti|gebruikers|mensen)(?![a-zß-ÿ])/u;

/** Claims that nobody can verify or that date: reach, stars, press, ranks, guarantees, cures, prices, requests to rate. */
const claims = anyOf(
  new RegExp(
    `${many.source}(?:\\s+(?:(?!for |für |para |pour |per )[a-zß-ÿ]+\\s+){0,3}|\\s?d['’])(?:${others.source}|${uses.source})`,
  ),
  /\d\s?万\s?(?:人|ダウンロード|dl|件)|累計\s?\d|\d\s?만\s?(?:명|다운로드|건)|별점|평점|(?<![a-zß-ÿ])(?:used|trusted|loved|recommended|approved) by(?![a-zß-ÿ])|(?:used|usad[ao]|utilizad[ao]|utilisée?|genutzt|im einsatz) (?:in|en|em|dans) \d/u,
  /(?:vertrauen|empfohlen von|geliebt von|genutzt von|confían en|recomendad[oa] por|amad[oa] por|usad[oa] por|font confiance|recommandée? par|utilisée? par|aimée? par|confiam|usat[oa] da|consigliat[oa] da|amat[oa] da|si fidano)(?![a-zß-ÿ])/u,
  /[★⭐]\ufe0f?\s?[★⭐]|\d(?:[.,]\d)?\s?(?:\/\s?5(?!\d)|[★⭐]|[- ]?stars?\b|sterne?n?\b|estrellas?\b|étoiles?(?![a-zß-ÿ])|estrelas?\b|stelle\b|つ星)|(?<![a-zß-ÿ])rated\b|\brating of|\baverage rating|\d[.,]\d (?:sur|en|in|im|on|na|no) (?:l['’]|(?:les|la|el|the|der|den|dem) )?(?:\S+ )?(?:(?:app|play|google)[ -]?)?(?:stores?|play)\b/u,
  /\brate (?:us|this app|the app|our app)|\b(?:leave|write|give) (?:us )?an? (?:\S+ )?(?:review|rating)|bewerte[a-zß-ÿ]* (?:uns|die app|unsere)|bewertung (?:im|da|ab)|valóra(?:nos|la)|califíca(?:nos|la)|déja(?:nos)? (?:una |tu )?(?:reseña|valoración|opinión)|notez(?:-nous|-la| l['’]appli)|laisse[a-zß-ÿ]*(?:-nous)? (?:un |votre )?avis|avalie(?:-nos| o app| a gente| nosso)|deixe (?:a )?sua avaliação|valuta(?:ci|teci| l['’]app)|lascia[a-zß-ÿ]* una recensione|(?:レビュー|評価)(?:を|して|お願い)/u,
  /\bas (?:seen|featured|heard) (?:on|in)\b|\bfeatured (?:in|by|on)\b|editor['’]?s['’]? choice|\bapp of the (?:day|week|month|year)|\baward|\bwinner of|bekannt aus|testsieger|ausgezeichnet (?:mit|von|als|durch)|prämiert|(?<![a-zß-ÿ])(?:vue? (?:à la télé|sur|dans)|élue? |récompensée?|premiad[oa]|galardonad[oa]|vist[oa] (?:en|na|no|in|su) |destacad[oa] (?:en|por)|destaque n[oa]|premiat[oa])|掲載|受賞|ランキング|第?1位/u,
  /(?<![a-zß-ÿ])(?:techcrunch|forbes|new york times|bbc|cnn|the verge|lifehacker|mashable|product hunt|stiftung warentest)(?![a-zß-ÿ])/u,
  /#\s?1\b|\bno\.? ?1\b|number one|nummer (?:1|eins)(?!\d)|n[úu]mero (?:1|uno|um)(?!\d)|numéro (?:1|un)(?!\d)|n[°º]\s?1(?!\d)|\bbest[- ](?:rated|selling|in class|ever)|\b(?:(?:is|the|[a-z]+['’]s|your) (?:best|most [a-zß-ÿ]+|easiest|simplest|smartest|greatest)) (?:[a-zß-ÿ]+[ -]){0,3}app\b|^(?:the )?best (?:[a-zß-ÿ]+[ -]){0,3}(?:app|player|tool|scanner|game)s?\b|\bis the best\b|\bthe only (?:[a-z]+ ){0,2}app\b|die einzige app|la única app|la seule appli|l['’]unica app|o único app|\bultimate\b|\bfastest\b|die (?:beste|beliebteste|schnellste)|(?:la|el) (?:mejor|más [a-zß-ÿ]+) (?:app|aplicación)|(?:la meilleure|l['’]) ?appli la plus|la meilleure appli|o melhor app|la migliore app|日本一|業界初|人気no/u,
  /guarante|garantier|garantiz|(?<![a-zß-ÿ])garanti[eamst][a-zß-ÿ]*|money[- ]back|\d ?% (?:de réussite|de (?:aprobados|aprovação|éxito|sucesso)|di successo|success|pass rate|erfolg|bestehen)|100 ?% (?:free|safe|secure|natural|kostenlos|gratis|sicher|gratuit|seguro|sicuro)|\bproven\b|clinically|scientific|wissenschaftlich|bewezen|erwiesen|nachweislich|científic|scientifi(?:que|c)|\b(?:cures?|heals?) (?:[a-z]+ )?(?:anxiety|insomnia|depression|pain|acne|cancer|stress|diabetes|adhd|you\b|your\b)|\blose \d|\b(?:doctors?|dermatologists?|experts?|vets?)[- ](?:approved?|recommend[a-zß-ÿ]*|swear|agree)/u,
  /\bon average\b|\b(?:average|typical) (?:person|user|customer|family|household)\b|im schnitt|durchschnittlich|de media|en moyenne|em média|in media/u,
  /(?<![a-zß-ÿ])(?:kostet|costs?|cuesta|coûte|custa) (?:[a-zß-ÿ]+ ){0,2}\d|(?:[$€£¥₺₽₩₫]|(?<![a-zß-ÿ])s\/\.?) ?\d|(?<![a-zß-ÿ])(?:usd|eur|gbp|aud|cad|inr|brl|mxn|chf) ?\d|\d ?(?:[$€£円元원₺₽₩₫đ]|(?:zł|kr|kč|tl|руб|chf|usd|eur)(?![a-zß-ÿ]))|\d,- |\b(?:totally|completely|absolutely) free\b|\bfree (?:forever|for life|download)\b|\bfor free\b|limited time|millions? of downloads|!!!/u,
);

const illness =
  /(?:diabet[a-zß-ÿ]*|cancers?|krebs|c[áâ]ncer|cancro|depressi[a-zß-ÿ]*|dépression|depresión|depressão|anxiety|angst(?:zustände|störung[a-zß-ÿ]*)?|ansiedad|anxiété|ansiedade|ansia|insomni[ae]|schlaflosigkeit|insônia|insonnia|adhd|adhs|tdah|autism[a-zß-ÿ]*|asthma|asma|arthritis|artritis|alzheimer|dementia|demenz|demencia|hypertension|bluthochdruck|hipertensi[oóã][a-zß-ÿ]*|high blood pressure|panic attacks?|panikattacken|migraines?|migräne[a-zß-ÿ]*|migrañas?|enxaquecas?|miscarriages?|fehlgeburt(?:en)?|infertility|eczema|acne|tinnitus)/u;
/** "Trata de la ansiedad" says what a text is about. */
const heals =
  /(?:(?:reverse|cure|heal|treat|prevent|eliminate|beat)s?|stops?(?= \S+$)|get rid of|no more|heilt|heile|behandelt|verhindert|besiegt?|stoppt?|cura|trata|previene|elimina|revierte|reverte|previne|combate|guéri[a-zß-ÿ]*|soigne[a-zß-ÿ]*|traite[a-zß-ÿ]*|prévien[a-zß-ÿ]*|élimine[a-zß-ÿ]*|tratta|combatte)/u;

/** What a remedy or a diet would have to prove. */
const cures = anyOf(
  new RegExp(
    `(?<![a-zß-ÿ])${heals.source} (?!d[aeio]l? )(?:[a-zß-ÿ0-9]+ ){0,3}?(?:[dl]['’])?${illness.source}(?![a-zß-ÿ])`,
  ),
  /(?<![a-zß-ÿ])(?:without|ohne|sin|sans|sem|senza) (?:medication|medicines?|drugs|pills|surgery|medikamente|tabletten|operation|medicamentos?|pastillas|cirugía|médicaments?|chirurgie|remédios?|cirurgia|farmaci|medicine|chirurgia)(?![a-zß-ÿ])|better than (?:pills|medication|drugs|therapy)\b|\bstop taking (?:[a-z]+ )?(?:insulin|medication|medicine|pills)|(?<![a-zß-ÿ])(?:lowers?|reduces?|senkt?|baja|reduce|réduit|réduisez|abaixa|reduz|abbassa|riduce) (?:[a-zß-ÿ]+ ){0,2}(?:hba1c|a1c|blood (?:sugar|pressure)|cholesterol|blutdruck|blutzucker|presión|glucosa|tension|glycémie|pressão|glicose|pressione|glicemia)/u,
  /\b(?:burns?|burning|melts?) (?:[a-z]+ )?fat\b|\blose weight (?:fast|quickly|in|without|while)\b|\bdrop (?:[a-z]+ )?(?:dress|clothing|pant) sizes?|\bflat (?:stomach|belly|tummy) in\b|fett weg\b|flache[nr] bauch in\b|abnehmen (?:ohne|im schlaf|in \d)|quema (?:la )?grasa|(?:abdomen|vientre) plano en|adelgazar? (?:sin|en \d)|brûle[rz]? (?:les |la )?graisse|ventre plat en|maigri[rstz]* (?:sans|en \d)|emagre[a-zß-ÿ]+ (?:sem|em \d)|queima (?:a )?gordura|barriga chapada|brucia (?:i )?grassi|dimagri[a-zß-ÿ]+ (?:senza|in \d)|\bmakes? (?:your (?:child|kids?|baby|brain)|kids|children) (?:[a-z]+ )?smarter\b|\b(?:boosts?|raises?|increases?) (?:your )?(?:iq|testosterone)\b/u,
);

/** The verb of a promise, where a sentence tells its reader what to do or what will be. */
const achieves =
  /(?:^|[.,;:!] |(?<![a-zß-ÿ])(?:and|to|you(?:['’]ll| will| can)?|never|helps?(?: you)?) )[^a-z0-9]*(?:(?:win|beat|erase|expunge|wipe out|become|turn|cut|profit|kill|shrink|heal|reverse|restore|regrow|fix|repair|raise|boost|stop|end|avoid|double|triple|quadruple|multiply|dodge|defeat|eliminate|crush|slash|grow|improve|increase)(?:e?s)?|get (?:rid of|out of|off|back|full|approved for|free)|walk away from|say (?:goodbye|no) to|never (?:have|get|lose|pay|go to|suffer)|live (?:free of|without|longer)|be free of|throw away|keep full)/u;
const decidedByOthers =
  /(?:custody|divorces?|lawsuits?|court cases?|in court|small claims|speeding tickets?|duis?|criminal records?|foreclosure|evictions?|jail|prison|alimony|child support|deportation|green card|tumou?rs?|cancer(?: cells)?|arthritis|insulin|diabetes|migraines?|asthma|hair(?: loss)?|eyesight|vision|hearing(?: loss| aids)?|wrinkles|age?ing|(?:back|neck|joint|knee|chronic) pain|panic attacks?|hot flashes|infertility|immune system|metabolism|blood pressure|cholesterol|glasses|debts?|mortgage|credit(?: score)?|loans?|millionaire|rich|wealthy|financially free|fortune|trades?|the market|savings|income|dividends|bookmakers|returns|profits?)/u;

/** What a court, a body or a market decides. */
const outcomes = anyOf(
  new RegExp(`${achieves.source} (?:\\S+ ){0,5}?${decidedByOthers.source}(?![a-z])`),
  /\b(?:charges|case|tickets?) (?:dropped|dismissed)\b|\b(?:settlement|compensation|payout) you deserve\b|\b(?:look|feel) (?:[a-z]+ ){0,2}years younger\b|\byears to your life\b|\bget pregnant (?:naturally|fast|in \d)|\bretire (?:at \d|rich)|\bquit your (?:day )?job\b|\bdebt[- ]free in \d|\bpay (?:no|zero) tax|\b(?:detox|cleanse) your (?:liver|blood|body)\b/u,
);

/** What an investment would have to prove, discounts, and what nobody can say of a whole. */
const gains = anyOf(
  /\bdouble your (?:money|bitcoin|crypto|income|savings)|\bget rich\b|\b(?:no|zero) risk\b|\brisk[- ]free\b|\b(?:earn|win|make) (?:real|extra|easy|fast|free) (?:money|cash)\b|\bpassive income\b|\bsave (?:thousands|hundreds) (?:on|in|a|per|every|of (?:dollars|euros|pounds))\b|verdopp(?:le|eln sie) (?:dein|ihr)|ohne risiko\b|risikofrei|passives einkommen|duplica tu|hazte rico|sin riesgos?\b|ingresos pasivos|gana dinero (?:real|fácil|rápido|extra)|doublez vo|sans risque|revenus passifs|dobre seu|fique rico|sem riscos?\b|renda passiva|ganhe dinheiro (?:real|fácil|rápido|extra)|senza rischi[o]?\b|reddito passivo|\bguadagna soldi/u,
  /\d ?% (?:off|discount|cheaper|rabatt|günstiger|de descuento|de réduction|moins cher|de desconto|di sconto)(?![a-zß-ÿ])|(?<![a-zß-ÿ])(?:saves?|spare?|sparst|sparen sie|ahorra|économisez|economize|risparmia) (?:[a-zß-ÿ]+ ){0,3}\d+ ?%|\b(?:today|this week(?:end)?) only\b|\bwelcome bonus\b/u,
  /100 ?% (?:legal|anonym|anónim|anônim|accurate|effective|wirksam|efectiv|eficaz|efficac)|(?<![a-zß-ÿ])von (?:[a-zß-ÿ]+ ){1,3}empfohlen(?![a-zß-ÿ])/u,
);

/** A capital is a name in these languages: "cheaper than Honey", "unlike ChatGPT". */
const comparison =
  /(?<!\p{L})(?:(?:[Bb]etter|[Ff]aster|[Cc]heaper|[Ss]afer|[Ee]asier|[Ss]marter|[Mm]ore \p{Ll}+) than|[Uu]nlike|(?:[Mm]ejor|[Mm]ás \p{Ll}+) que|(?:[Mm]ieux|[Mm]eilleure?|[Mm]oins cher|[Pp]lus \p{Ll}+) que|(?:[Mm]elhor|[Mm]ais \p{Ll}+) (?:do )?que) \p{Lu}\p{L}{2}/u;

/** Calls to install, which the closing slide is for. */
const calls =
  /^(?:(?:so |just )?(?:download|install|get)\b.*\b(?:now|today|free)\b|(?:download|install)(?: \S+){0,2} (?:now|today)\b(?!['’]).*|jetzt (?:herunterladen|laden|installieren|ausprobieren|starten)|lade? (?:dir )?.*(?:herunter|jetzt)|hol dir .* jetzt|desc[aá]rga(?:la|lo|te)?(?![a-zß-ÿ]).*(?:ya|ahora|hoy|gratis)?|téléchargez?(?![a-zß-ÿ]).*|baixe(?![a-zß-ÿ]).*|scarica(?:la|lo)? .*(?:ora|oggi|subito|gratis)|join .*(?:today|now)|今すぐ.*|.*ダウンロードして(?:ください|みて).*)[.!。！]*$/u;

/** Matches text of the legal part of a listing, of contacts and of release notes by the shape of the sentence. */
const legal = anyOf(
  /renews? automatically|auto-?renew|verlängert sich|se renueva|se renouvelle|renova(?:ção|da|do)? automatic|si rinnova|自動更新|解約|自动续费|자동 ?갱신|odnawia|продлевается|f[öo]rnya?s automatis|yenilenir/u,
  /24 (?:hours|stunden|horas|heures|ore) (?:before|vor|antes|avant|prima)|at least 24|24時間(?:前|以内)|charged to (?:your|the|apple|google)|subscription|eligibility|\baffiliated\b|\bnot all (?:members|users|customers)|in-?app[- ]purchase|in-?app[- ]k[aä]uf|one-time purchase|\bmembership\b|\bpremium\b|\bpurchase\b|monthly or yearly|pay once|cancel (?:at )?any ?time|jederzeit kündbar|remove (?:all )?ads|(?<![a-zß-ÿ])abos?(?![a-zß-ÿ])|suscripción|suscribirte|abonnement|assinatura|assinante|abbonament|購読|サブスク|プレミアム/u,
  /terms of (?:use|service)|terms (?:and|&) conditions|\bt&cs?\b|(?:terms|conditions) apply\b|privacy policy|all rights reserved|©|\bimprint\b|impressum|datenschutz|política de privac|politique de confident|informativa|nutzungsbedingungen|condiciones de uso|termos de uso|プライバシー|利用規約/u,
  /https?:|www\.|@[a-zß-ÿ]|\.example\b|\.(?:com|de|es|fr|it|app|io|jp|br)\b|support:|contact us|write (?:to )?us|get in touch|e-?mail us|your feedback|schreib(?:t|en sie)? uns|kontakt:|fragen\?|escríbenos|contáctanos|écrivez-nous|contactez|fale (?:com a gente|conosco)|escreva para|scrivici|contattaci|お問い合わせ|ご意見|follow us|folgt? uns|síguenos|suivez-nous|siga-nos|seguici/u,
  /(?:basic|free|full) version|grundversion|basisversion|vollversion|versión (?:gratuita|completa)|version (?:gratuite|complète)|versão (?:gratuita|completa)|versione (?:gratuita|completa)|\bapp is free|\b(?:is|are) free[.!]?$|(?<![a-zß-ÿ])(?:(?:ist|sind|bleibt) (?:kostenlos|gratis)|(?:es|son|is|zijn) grati[st]|(?:est|sont|es|son|é|são|è|sono) (?:gratuit|grátis))|(?:free|kostenlos|gratis|gratuit[aeo]?s?|grátis) (?:up to|bis|hasta|jusqu|até|fino)|基本.*無料|アプリ内課金/u,
  /(?:医療|診断|治療)[^。]*(?:ありません|代わる)|의료[^.]*(?:아닙니다|대신)|(?:诊断|医疗)[^。]*(?:不(?:构成|能|作)|替代)|^not for |\bis (?:finally )?here!|(?<![a-zß-ÿ])ist da!|does not (?:give|replace|provide|diagnose)|not (?:a medical|(?:to be|intended) (?:used )?(?:for|as))|no substitute|ersetzt kein|no sustituye|ne remplace pas|não substitui|non (?:lo |la )?sostituisce|results may vary|(?:tiene|tem|comporta|comporte|birgt|carries) (?:riesgos|riscos|rischi|des risques|risiken|risks)|consult (?:a|your) doctor|consult[ae] (?:con )?(?:tu|su|seu|um|o) médico|do not rely|always verify|do(?:n['’]t| not) use \S+ for|professionals? only|do not include|third part(?:y|ies)|may be delayed|uses your location|location data|bug ?fix|performance improvement|> ?subscriptions|(?<![a-zß-ÿ])versi(?:on|ón|one|ão|e) \d|fehler behoben|crash|\b(?:fixed|fixes|improved)\b|behoben|corregid|corrigé|corrigid|corrett[oi]\b|不具合|thank you\b|vielen dank|gracias por|merci (?:de|pour)|obrigad|grazie (?:di|per)|^(?:tags|keywords|changelog|release notes|suchbegriffe|stichworte|palabras clave|mots[- ]clés|parole chiave|palavras[- ]chave|zoekwoorden)(?![a-zß-ÿ])|^(?:warning|achtung|wichtiger hinweis|atención|ojo|attention ?|atenção|attenzione):/u,
);

export function hasBannedPhrase(text: string): boolean {
  return banned.test(text.toLowerCase());
}

export function hasClaim(text: string): boolean {
  const lower = text.toLowerCase();
  return [claims, cures, outcomes, gains].some(pattern => pattern.test(lower)) || comparison.test(text);
}

/** True for a text that promises health or a body. */
export function hasCure(text: string): boolean {
  return cures.test(text.toLowerCase());
}

/** True for a sentence about the contract, the contact or the last release, and for a call to install. */
export function isLegal(text: string): boolean {
  const lower = text.toLowerCase();
  return legal.test(lower) || calls.test(lower);
}

/** True for a topic that nothing is written about (violence, sex, drugs, crime, cures, income promises). */
export function isRefusedTopic(topic: string): boolean {
  return refused.test(topic.toLowerCase());
}

const brands = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${brandList.names.map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
);

/** The first name of a known product in a text that is not in `named`, which is in lower case; or null. */
export function findBrand(text: string, named = ''): string | null {
  return text.match(brands)?.find(brand => !named.includes(brand.toLowerCase())) ?? null;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const brandTags = new Set(brandList.names.map(plain));

/** True for a hashtag, with or without its mark, that is the name of another product. */
export function isForeignBrand(tag: string, appName: string): boolean {
  return brandTags.has(plain(tag)) && !plain(appName).includes(plain(tag));
}
