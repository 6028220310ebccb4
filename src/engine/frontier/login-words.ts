/**
 * How login pages are called. Two lists: words that stand in addresses, and words that stand in titles. They are
 * plain words of many languages; whoever misses one adds it here.
 */

/**
 * Names of a login in a path, folded to small letters and without hyphens, underscores and a file ending:
 * `sign-in`, `Sign_In` and `signin.php` are all `signin`.
 */
export const LOGIN_SEGMENTS: ReadonlySet<string> = new Set(
  `login signin logon signon loginform loginpage loginuser userlogin memberlogin memberslogin customerlogin
   clientlogin accountlogin weblogin dologin loginrequired loginsignup signinup wplogin siteminderagent
   anmelden anmeldung einloggen kundenlogin
   connexion seconnecter sidentifier
   iniciarsesion iniciosesion iniciodesesion iniciarsessao
   accedi inloggen aanmelden loggain logind logginn kirjaudu kirjautuminen innskraning
   zaloguj logowanie prihlaseni prihlasit prihlasenie prihlasitsa bejelentkezes belepes autentificare conectare
   girisyap uyegirisi oturumac prijava vhod voyti dangnhap masuk
   вход войти авторизация вхід увійти είσοδος σύνδεση giriş
   ログイン サインイン 登录 登錄 登入 로그인 เข้าสู่ระบบ`.split(/\s+/),
);

/** Names of what stands beside a login and is open to everybody: a new account, a forgotten password. */
export const ACCOUNT_SEGMENTS: ReadonlySet<string> = new Set(
  `forgot forgotpassword forgottenpassword lostpassword resetpassword passwordreset recoverpassword
   passwordrecovery passwordforgotten accountrecovery passwordsnew
   register registration signup createaccount createanaccount newaccount
   passwortvergessen kennwortvergessen registrieren registrierung
   motdepasseoublie inscription creeruncompte recuperarcontrasena registrarse registro
   esquecisenha cadastro recuperapassword registrati wachtwoordvergeten registreren
   rejestracja registrace regisztracio kayitol регистрация 注册 註冊 新規登録 회원가입`.split(/\s+/),
);

/** Names that are a login as often as something else: a product's documentation has an `/auth` as well. */
export const MAYBE_LOGIN_SEGMENTS: ReadonlySet<string> = new Set(
  `auth oauth oauth2 sso saml saml2 cas adfs idp openid oidc openidconnect authorize authenticate authentication
   identity passport session sessions account accounts acceso acceder accesso entrar access giris`.split(
    /\s+/,
  ),
);

/** First labels of hosts that serve nothing but logins. */
export const LOGIN_HOST_LABELS: ReadonlySet<string> = new Set(
  'login signin logon signon sso auth oauth oauth2 idp adfs accounts passport cas identity openid'.split(' '),
);

/** Companies whose business is other people's logins. */
export const LOGIN_COMPANIES: readonly string[] = [
  'okta.com',
  'okta-emea.com',
  'auth0.com',
  'onelogin.com',
  'b2clogin.com',
  'ciamlogin.com',
  'amazoncognito.com',
  'duosecurity.com',
];

/** Query parameters by which an application says which of its pages is meant. */
export const PAGE_PARAMETERS: ReadonlySet<string> = new Set(
  'action act do page view route rt mode module controller op task cmd show site'.split(' '),
);

/** The same, but a search may go by that name too: only a path or a namespace in it is a page's name. */
export const MAYBE_PAGE_PARAMETERS: ReadonlySet<string> = new Set(['p', 'q', 'title']);

/** Query parameters that say where to go, or to whom to report, after the login. */
export const RETURN_PARAMETERS: ReadonlySet<string> = new Set(
  `next return returnto returnurl returnuri returnpath redirect redirectto redirecturl redirecturi continue goto
   back backurl backto from ref referer url target service dest destination forward origin callbackurl callback
   relaystate samlrequest clientid wreply wtrealm successurl fromurl requestedurl r`.split(/\s+/),
);

/** What the title of a login page says. Not within other words: an `acceso` is no `accesorio`. */
export const LOGIN_TITLE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'log[ -]?in|sign[ -]?in|log[ -]?on|sign[ -]?on|logging in|authentication required|members only',
    'anmelden|anmeldung|einloggen|connexion|se connecter|connectez[ -]vous|identifiez[ -]vous|identification',
    'iniciar sesi[oó]n|inicio de sesi[oó]n|inicia sesi[oó]n|acceder|acceso|iniciar sess[aã]o|entrar',
    'accedi|accesso|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu(?: sisään)?|kirjautuminen|innskráning',
    'zaloguj(?: się)?|logowanie|přihlášení|přihlásit(?: se)?|prihlásenie|prihlásiť(?: sa)?',
    'bejelentkezés|belépés|autentificare|conectare|giriş(?: yap)?|oturum aç|prijava|đăng nhập|masuk',
    'вход|войти|авторизация|вхід|увійти|είσοδος|σύνδεση|تسجيل الدخول|דף כניסה|כניסה|התחברות',
  ].join('|')})(?![\\p{L}\\p{N}])|ログイン|サインイン|登录|登錄|登入|로그인|เข้าสู่ระบบ|लॉग ?इन`,
  'iu',
);
