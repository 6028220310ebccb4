/** Pages with a password on them, as the web has them: walls, and pages that are none. */

export interface PasswordPage {
  readonly name: string;
  readonly url: string;
  readonly html: string;
}

function page(
  name: string,
  title: string,
  body: string,
  url = 'https://site.example/reports/2024',
): PasswordPage {
  const html = `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>
<link rel="stylesheet" href="/style.css"><script>var app = {login: true};</script></head><body>${body}</body></html>`;
  return { name, url, html };
}

function form(labels: readonly [string, string, string], extra = ''): string {
  return `<form method="post" action="/session"><input type="hidden" name="csrf" value="d41d8cd98f">
<label>${labels[0]} <input type="text" name="user"></label>
<label>${labels[1]} <input type="password" name="pass"></label>
<button type="submit">${labels[2]}</button>${extra}</form>`;
}

function links(count: number, prefix: string): string {
  const items = Array.from(
    { length: count },
    (_, n) => `<li><a href="${prefix}${n}">${prefix} ${n}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

const sentence = 'The harvest was late this year, and the market had apples until the first snow fell. ';
const prose = (times: number): string => `<p>${sentence.repeat(times)}</p>`;

/** A little box in the corner of every page. */
const headerBox = `<div id="top-login"><form action="/login"><input name="u" placeholder="Name">
<input type="password" name="p" placeholder="Password"><input type="submit" value="Log in"></form></div>`;

export const walls: readonly PasswordPage[] = [
  page('a bare form without a title', '', form(['User', 'Password', 'Go'])),
  page('an intranet', 'Contoso Portal', `<h1>Contoso</h1>${form(['Username', 'Password', 'Sign in'])}`),
  page(
    'English, with what stands around a login',
    'Log in - Ledgerly',
    `<a href="/">Ledgerly</a><h1>Welcome back</h1>${form(['Email', 'Password', 'Log in'], '<a href="/forgot">Forgot password?</a>')}
     <p>New here? <a href="/register">Create an account</a></p>
     <footer><a href="/privacy">Privacy</a> <a href="/terms">Terms</a> <a href="/help">Help</a></footer>`,
  ),
  page(
    'German',
    'Anmelden | Stadtbücherei Kundenkonto',
    `${form(['Ausweisnummer', 'Passwort', 'Anmelden'])}<a href="/passwort-vergessen">Passwort vergessen?</a>
     <a href="/impressum">Impressum</a> <a href="/datenschutz">Datenschutz</a>
     <p>Bitte melden Sie sich mit Ihrer Ausweisnummer an. Das Passwort ist anfangs Ihr Geburtsdatum.</p>`,
  ),
  page(
    'French',
    'Connexion – Espace client',
    `<h1>Identifiez-vous</h1>${form(['Identifiant', 'Mot de passe', 'Se connecter'])}
     <p>Première visite ? <a href="/creer">Créer un compte</a></p><a href="/mentions">Mentions légales</a>`,
  ),
  page('Spanish', 'Iniciar sesión', form(['Usuario', 'Contraseña', 'Entrar'])),
  page('Portuguese', 'Entrar · Secretaria virtual', form(['Matrícula', 'Senha', 'Entrar'])),
  page('Italian', 'Accesso area riservata', form(['Nome utente', 'Password', 'Accedi'])),
  page('Dutch', 'Inloggen | Mijn polis', form(['Gebruikersnaam', 'Wachtwoord', 'Inloggen'])),
  page('Swedish', 'Logga in', form(['Personnummer', 'Lösenord', 'Logga in'])),
  page('Polish', 'Zaloguj się – Dziennik', form(['Login', 'Hasło', 'Zaloguj się'])),
  page('Czech', 'Přihlášení do systému', form(['Jméno', 'Heslo', 'Přihlásit'])),
  page('Turkish', 'Giriş Yap', form(['Kullanıcı', 'Parola', 'Giriş yap'])),
  page(
    'Russian, with a notice',
    'Вход в личный кабинет',
    `${form(['Логин', 'Пароль', 'Войти'])}<p>${'Если вы забыли пароль, обратитесь в службу поддержки вашего района. '.repeat(8)}</p>`,
  ),
  page('Greek', 'Σύνδεση', form(['Όνομα', 'Κωδικός', 'Σύνδεση'])),
  page('Japanese', '会員ログイン', form(['ユーザーID', 'パスワード', 'ログイン'])),
  page('Chinese', '用户登录', form(['用户名', '密码', '登录'])),
  page('Korean', '로그인 - 사내 게시판', form(['아이디', '비밀번호', '로그인'])),
  page('Arabic', 'تسجيل الدخول', form(['اسم المستخدم', 'كلمة المرور', 'دخول'])),
  page('Vietnamese', 'Đăng nhập hệ thống', form(['Tên', 'Mật khẩu', 'Đăng nhập'])),
  page(
    'a service with a choice of thirty languages and a long notice about cookies',
    'Sign in to your account',
    `${form(['Email', 'Password', 'Sign in'])}
     <select>${Array.from({ length: 30 }, (_, n) => `<option>Language ${n}</option>`).join('')}</select>
     <div class="cookies">${prose(12)}<a href="/cookies">More</a></div>${links(12, '/legal/')}`,
  ),
  page(
    'upper case and no quotes',
    'LOGIN',
    '<FORM><INPUT TYPE=TEXT NAME=U><INPUT TYPE=PASSWORD NAME=P><INPUT TYPE=SUBMIT VALUE=OK></FORM>',
  ),
  page(
    'a page that only sends its reader on to the login',
    'Please wait',
    '<meta http-equiv="refresh" content="0; url=/account/login?next=/reports/2024"><p>One moment …</p>',
  ),
];

export const pages: readonly PasswordPage[] = [
  page('a shop with a box in its header', 'Boots & Shoes', `${headerBox}${links(60, '/shoes/')}${prose(20)}`),
  page(
    'a shop whose title says login too',
    'Boots – Login',
    `${headerBox}${links(60, '/shoes/')}${prose(20)}`,
  ),
  page('an article with a box in its margin', 'Apples', `${headerBox}${prose(40)}`),
  page('a short article with a box', 'A note', `${headerBox}${prose(6)}${links(3, '/notes/')}`),
  page('a list of few words and many links', 'Index', `${headerBox}${links(20, '/thread/')}`),
  page(
    'a forum with the quick login at its end',
    'Beekeepers’ board',
    `${links(24, '/viewforum.php?f=')}${form(['Username', 'Password', 'Login'])}`,
  ),
  page(
    'a gallery of pictures',
    'Photographs',
    `${headerBox}${Array.from({ length: 30 }, (_, n) => `<img src="/p/${n}.jpg" alt="">`).join('')}`,
  ),
  page('German shop', 'Werkzeug online kaufen', `${headerBox}${links(45, '/werkzeug/')}${prose(10)}`),
  page('a newspaper', 'Le Quotidien', `${headerBox}${links(80, '/article/')}${prose(10)}`),
  page('Russian forum', 'Форум садоводов', `${headerBox}${links(30, '/тема/')}`),
  page(
    'Japanese shop',
    '靴の通販',
    `${headerBox}${links(40, '/靴/')}<p>${'秋の新作が入荷しました。'.repeat(40)}</p>`,
  ),
  page(
    'a small business with a box for its customers',
    'Miller Dental Practice',
    `${headerBox}${links(6, '/treatments/')}${prose(7)}`,
  ),
  page(
    'a guide to logins, with a form to show',
    'How a login works',
    `${prose(50)}${form(['User', 'Password', 'OK'])}`,
  ),
  page(
    'a shop that asks to subscribe',
    'Offers',
    `${links(9, '/offers/')}${prose(5)}${form(['Email', 'Password', 'Join'])}`,
  ),
  page('an accessory shop in Spanish', 'Accesorios para tu bici', `${headerBox}${links(26, '/accesorios/')}`),
  page(
    'a password only in a template',
    'Sign in',
    `<template>${form(['User', 'Password', 'OK'])}</template>`,
  ),
  page('a form with no password', 'Contact', '<form><input type="text"><input type="email"><input></form>'),
  page('a word of passwords in the text', 'Log in', '<p>type="password" is what an input needs.</p>'),
  page('a form in a comment', 'Log in', `<!-- ${form(['User', 'Password', 'OK'])} --><p>Gone.</p>`),
  page('the login page itself', 'Log in', form(['User', 'Password', 'Log in']), 'https://site.example/login'),
  page(
    'the login page itself, by its query',
    'Anmelden',
    form(['Name', 'Passwort', 'Anmelden']),
    'https://site.example/index.php?route=account/login',
  ),
  page(
    'a page that sends its reader on to another page',
    'Moved',
    '<meta http-equiv="refresh" content="0; url=/reports/2025"><p>Moved.</p>',
  ),
  page(
    'an article that, an hour later, sends its reader to the login',
    'News',
    `<meta http-equiv="refresh" content="3600; url=/login">${prose(20)}`,
  ),
];
