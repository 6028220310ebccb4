// Searching, opening what a link leads to, and trying requests. The key that is pasted stays in its field.
const search = document.getElementById('search');
const keyField = document.getElementById('key');
const nothing = document.getElementById('nothing');
const operations = [...document.querySelectorAll('.operation')];

function show() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const operation of operations) {
    const isWanted = words.every((word) => operation.dataset.words.includes(word));
    operation.hidden = !isWanted;
    const entry = document.querySelector(`nav [data-for="${CSS.escape(operation.id)}"]`);
    if (entry !== null) entry.hidden = !isWanted;
    if (isWanted) found += 1;
  }
  for (const group of document.querySelectorAll('.group')) {
    const own = [...group.querySelectorAll('.operation')];
    group.hidden = words.length > 0 && own.length > 0 && own.every((operation) => operation.hidden);
  }
  for (const section of document.querySelectorAll('nav section')) {
    const own = [...section.querySelectorAll('li')];
    section.hidden = own.length > 0 && own.every((entry) => entry.hidden);
  }
  nothing.hidden = found > 0;
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  if (target.hidden) {
    search.value = '';
    show();
  }
  if (target.matches('details')) target.open = true;
  target.scrollIntoView();
}

async function tryIt(form) {
  const output = form.querySelector('output');
  const outcome = output.querySelector('.outcome');
  const text = output.querySelector('code');
  const url = new URL(location.origin);
  let path = form.dataset.path;
  for (const field of form.querySelectorAll('input')) {
    if (field.value === '') continue;
    if (field.dataset.in === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (field.dataset.in === 'query') url.searchParams.set(field.name, field.value);
  }
  url.pathname = path;
  const key = keyField.value.trim();
  output.hidden = false;
  outcome.textContent = `GET ${url.pathname}${url.search} …`;
  text.textContent = '';
  try {
    const answer = await fetch(url, { headers: key === '' ? {} : { authorization: `Bearer ${key}` } });
    const left = answer.headers.get('ratelimit-remaining');
    outcome.textContent = `${answer.status} ${answer.statusText}${left === null ? '' : `, ${left} requests left`}`;
    text.textContent = readable(await answer.text());
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}`;
  }
}

function readable(body) {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

search.addEventListener('input', show);
window.addEventListener('hashchange', openTarget);
document.addEventListener('submit', (event) => {
  event.preventDefault();
  tryIt(event.target);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input')) return;
  event.preventDefault();
  search.focus();
});
openTarget();
