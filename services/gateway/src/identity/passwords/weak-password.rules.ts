import { invalidRequest } from '@hookline/shared/contracts';

/**
 * Passwords of 10 and more characters that guessers try first, in lower case. Repetitions
 * and sequences are rules.
 */
const common = new Set(
  `password01 password10 password11 password12 password13 password21 password22 password23 password69 password99
  password123 password1234 password12345 password123456 password1! password123! password1234! passw0rd123 p@ssw0rd123
  p@ssword123 pa55word123 passw0rd12 passw0rd1234 p@ssw0rd1234 mypassword mypassword1 mypassword123 thepassword
  newpassword newpassword1 newpassword123 yourpassword nopassword changepassword temppassword temppassword1
  password2020 password2021 password2022 password2023 password2024 password2025 password2026 onepassword
  changeme12 changeme123 changeme1234 changemenow changeit123 welcome123 welcome1234 welcome12345 welcome123!
  welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 welcomehome welcome2you
  letmein123 letmein1234 letmeinnow letmeinplease iloveyou12 iloveyou123 iloveyou1234 iloveyou2! iloveyouu
  iloveyousomuch iloveyoubaby ilovemyself iloveyou!! iloveu1234 ilovejesus ilovemymom ilovemusic iloveyou22
  qwerty1234 qwerty12345 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyuiop1 qwertyuiop12
  qwertyuiop123 qwerty123! qwerty2020 qwerty2024 qwerty2025 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i
  1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc zaq12wsxcde3
  zaq1xsw2cde3 qazwsxedcrfv qazwsxedcrfvtgb qazwsxedc123 qazwsx1234 qazwsx12345 1qaz@wsx3edc !qaz2wsx3edc qweasdzxc1
  qweasdzxc123 qweasd1234 asdfghjkl1 asdfghjkl123 asdf123456 asdfgh12345 asdf1234asdf zxcvbnm123 zxcvbnm1234
  zxcvbnm12345 qwer1234qwer qwert12345 qwert123456 abc1234567 abc12345678 abc123456789 abcd123456 abcd12345678
  abcde12345 abcdef1234 abcdef123456 abc123abc123 a123456789 a1234567890 a12345678910 aa12345678 aa123456789
  123456789a 123456789q 1234567890a 1234567890q 12345678910 1234567891 1234567899 0123456789a 12345qwert 123456qwerty
  1234qwerasdf 123qweasdzxc 123qwe123qwe 123qweasd123 123456abcdef 123456asdf 123abc456def 1a2b3c4d5e 1a2b3c4d5e6f
  a1b2c3d4e5 a1b2c3d4e5f6 1029384756 0192837465 1122334455 11223344556677 1357924680 2468013579 1472583690 147258369a
  9876543210a 3141592653 31415926535 7894561230 789456123a 1234554321 1234567887654321 123321123321 1231231234
  administrator administrator1 admin12345 admin123456 admin1234567 adminadmin1 adminpassword admin@1234 admin@12345
  rootpassword root123456 superuser1 superadmin superadmin1 testpassword testpassword1 test123456 test1234567 testing123
  testing1234 testtest123 demo123456 demopassword guest12345 guestguest1 user123456 useruser123 default123
  secret1234 secret12345 topsecret1 supersecret supersecret1 mysecret123 letmeinnow1 access1234 master1234 master12345
  computer12 computer123 internet12 internet123 football12 football123 baseball12 baseball123 basketball basketball1
  basketball2 basketball23 volleyball volleyball1 sunshine12 sunshine123 princess12 princess123 princess1234 superman12
  superman123 spiderman1 spiderman12 spiderman123 batman1234 pokemon123 pokemon1234 starwars12 starwars123 starwars77
  minecraft1 minecraft12 minecraft123 michael123 michael1234 jessica123 jennifer12 jennifer123 charlie123 charlie1234
  anthony123 alexander1 alexander12 alexander123 elizabeth1 elizabeth12 elizabeth123 christopher christopher1
  christian1 christian123 christine1 stephanie1 stephanie123 samantha12 samantha123 benjamin12 benjamin123 jonathan12
  jonathan123 victoria12 victoria123 nicholas12 nicholas123 liverpool1 liverpool12 liverpool123 manchester manchester1
  manchesterunited chelsea123 arsenal123 barcelona1 barcelona10 barcelona123 realmadrid realmadrid1 juventus123
  butterfly1 butterfly12 butterfly123 strawberry strawberry1 chocolate1 chocolate12 chocolate123 watermelon cheesecake1
  cheesecake blueberry1 pineapple1 sweetheart sweetheart1 sweetheart123 babygirl12 babygirl123 bestfriend bestfriend1
  bestfriends friendship friendship1 beautiful1 beautiful12 beautiful123 wonderful1 fuckyou123 fuckyou1234 fuckyou12345
  fuck_inside motherfucker motherfucker1 whatever12 whatever123 trustno1234 trustnoone nothing123 blink182182
  california california1 washington washington1 newyork123 london1234 australia1 portugal123 metallica1 metallica123
  slipknot123 greenday123 evanescence nightmare1 darkness123 undertaker undertaker1 skateboard skateboard1 snowboard1
  lovelovelove jesuschrist jesuschrist1 jesusislord jesuslovesme godislove1 godisgreat hallelujah blessed123 thankyou123
  helloworld helloworld1 helloworld123 hello12345 hello123456 hellohello1 goodmorning goodmorning1 happybirthday
  correcthorsebatterystaple hookline123 hookline1234 tiktok1234 tiktok12345 tiktok123456 monkey1234 monkey12345 dragon1234
  dragon12345 shadow1234 shadow12345 summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026
  winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 spring2024 spring2025 spring2026
  autumn2024 autumn2025 autumn2026 january2025 january2026 december2024 december2025 qwertyqwerty1 passwordpassword1`
    .split(/\s+/)
    .filter(word => word.length >= 10),
);

/** Rows of keyboards and the orders in which people count. A reversed one is the same. */
const runs = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
].flatMap(run => [run, [...run].reverse().join('')]);

/** Why somebody would guess the password first, as the end of a sentence; null when nothing says so. */
export function weaknessOf(password: string, email: string): string | null {
  // It is hashed in this form, so that is the one that is guessed.
  const given = password.normalize('NFKC').toLowerCase();
  const address = email.toLowerCase();
  if (given === address || given === address.split('@')[0]) return 'must not be the e-mail address';
  const isGuessed =
    common.has(given) || /^(.{1,4})\1+.{0,3}$/s.test(given) || runs.some(run => run.includes(given));
  return isGuessed ? 'must not be one of those that are guessed first' : null;
}

export function refuseWeakPassword(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness !== null) throw invalidRequest(`password ${weakness}`);
}
