/** One operation: what it takes, what it answers, how it is called, and for reading ones a form to try it. */
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from '../openapi/types.ts';
import { html, type Markup, prose } from './html.ts';
import { isReference, sampleCurl, sampleOf } from './sample.ts';
import { boundsOf, showSchema, typeOf } from './schema-view.ts';

export interface OperationPlace {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function showOperation(document: OpenApiDocument, place: OperationPlace): Markup {
  const { method, path, operation } = place;
  const parameters = (operation.parameters ?? []).map((one) =>
    isReference(one) ? document.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one,
  );
  const known = parameters.filter((one) => one !== undefined);
  const words = `${operation.operationId} ${method} ${path} ${operation.summary}`.toLowerCase();
  return html`
<details class="operation" id="${operation.operationId}" data-words="${words}">
  <summary><span class="method ${method}">${method}</span><span class="path">${breakable(path)}</span><span class="what">${operation.summary}</span></summary>
  <div class="inside">
    ${operation.description === undefined ? undefined : html`<p>${prose(operation.description)}</p>`}
    <p class="who">${who(operation)}</p>
    ${known.length === 0 ? undefined : showParameters(document, known)}
    ${showBody(document, operation)}
    ${showAnswers(document, operation)}
    <h4>Call</h4>
    <pre tabindex="0"><code>${sampleCurl(document, method, path, operation)}</code></pre>
    ${canBeTried(place) ? tryForm(place, known) : undefined}
  </div>
</details>`;
}

/** Long paths break after a slash, not in a word. */
function breakable(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);
}

function who(operation: Operation): Markup {
  if (operation['x-scope'] === 'public') return html`For everybody.`;
  const roles = operation['x-roles'].join(', ');
  return html`For ${roles}. Needs <code>${operation['x-scope']}</code>.`;
}

function showParameters(document: OpenApiDocument, parameters: readonly Parameter[]): Markup {
  return html`<h4>Parameters</h4><ul class="fields">${parameters.map(
    (
      one,
    ) => html`<li><span class="name">${one.name}</span> <span class="type">${typeOf(document, one.schema)}</span>
      <span class="optional">${one.in}${one.required ? '' : ', optional'}</span>${boundsOf(one.schema)}${
        one.description === undefined ? undefined : html`<span class="says">${prose(one.description)}</span>`
      }</li>`,
  )}</ul>`;
}

function showBody(document: OpenApiDocument, operation: Operation): Markup | undefined {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return undefined;
  const isOptional = operation.requestBody?.required === false;
  return html`<h4>Body${isOptional ? html` <span class="optional">optional</span>` : undefined}</h4>
    ${showSchema(document, schema)}${showExample(document, schema)}`;
}

function showAnswers(document: OpenApiDocument, operation: Operation): Markup {
  const entries = Object.entries(operation.responses).map(([status, answer]) => {
    const codes = answer['x-codes'];
    if (codes !== undefined) {
      return html`<li><span class="status bad">${status}</span> ${codes.map(
        (code) => html`<a href="#${code}"><code>${code}</code></a> `,
      )}</li>`;
    }
    const [type, content] = Object.entries(answer.content ?? {})[0] ?? [];
    const isJson = type === 'application/json';
    return html`<li><span class="status">${status}</span> ${prose(answer.description)}${
      type === undefined || isJson ? undefined : html` <span class="type">${type}</span>`
    }${
      content === undefined || !isJson
        ? undefined
        : html`${showSchema(document, content.schema)}${showExample(document, content.schema)}`
    }</li>`;
  });
  return html`<h4>Answers</h4><ul class="answers">${entries}</ul>`;
}

function showExample(document: OpenApiDocument, schema: JsonSchema): Markup {
  const text = JSON.stringify(sampleOf(document, schema), undefined, 2);
  return html`<details class="example"><summary>example</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}

/** Reading changes nothing; a stream would never end. */
function canBeTried({ method, operation }: OperationPlace): boolean {
  return method === 'get' && operation.responses['200']?.content?.['text/event-stream'] === undefined;
}

function tryForm({ path, operation }: OperationPlace, parameters: readonly Parameter[]): Markup {
  const fields = parameters.map((one) => {
    const id = `${operation.operationId}-${one.name}`;
    return html`<label for="${id}">${one.name}</label><input id="${id}" name="${one.name}" data-in="${one.in}" autocomplete="off" spellcheck="false"${
      one.required ? html` required` : undefined
    }>`;
  });
  return html`<h4>Try it</h4>
    <form class="try" data-path="${path}">${fields}<button type="submit">Send</button>
    <output hidden><span class="outcome"></span><pre tabindex="0"><code></code></pre></output></form>`;
}
