import { html, raw } from 'hono/html'
import { type Badge, type Block, type OperationItem, repeatedText, type Sample } from './block.ts'
import { fieldsHtml } from './fields-html.ts'
import { highlight } from './highlight.ts'
import { type Html, inline } from './html.ts'
import { blockHtml } from './inline.ts'

type OfKind<K extends Block['kind']> = Extract<Block, { kind: K }>

export const blocksHtml = (blocks: readonly Block[]): Html[] => blocks.map(blockToHtml)

function blockToHtml(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return headingHtml(block)
    case 'prose':
      return proseHtml(block)
    case 'code':
      return codeHtml(block)
    case 'samples':
      return samplesHtml(block)
    case 'table':
      return tableHtml(block)
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
    case 'operations':
      return html`<ul class="operations">${block.items.map(operationHtml)}</ul>`
    case 'cards':
      return cardsHtml(block)
    case 'facts':
      return factsHtml(block)
    case 'fields':
      return fieldsHtml(block.rows)
    case 'repeated':
      return repeatedHtml(block)
    case 'callout':
      return html`<div class="callout ${block.tone}" role="note"><strong>${block.title}</strong> ${inline(block.markdown)}</div>`
    case 'badges':
      return html`<p class="badges">${block.items.map(badgeHtml)}</p>`
    case 'endpoint':
      return endpointHtml(block)
    case 'rail':
      return html`<div class="rail"><div class="rail-inner">${blocksHtml(block.blocks)}</div></div>`
    case 'fold':
      return html`<details class="fold"${block.id ? html` id="${block.id}"` : ''}><summary>${inline(block.summary)}</summary>${blocksHtml(block.blocks)}</details>`
    case 'figure':
      return html`<figure class="diagram"><div class="scroll" tabindex="0">${raw(block.svg)}</div><figcaption>${inline(block.caption)}</figcaption></figure>`
    case 'widget':
      return raw(block.html)
  }
}

/** Renders a heading as a link to itself, unless the heading contains another link. */
function headingHtml({ level, text, id }: OfKind<'heading'>): Html {
  const title = text.includes('](') ? inline(text) : html`<a href="#${id}">${inline(text)}</a>`
  if (level === 2) return html`<h2 id="${id}">${title}</h2>`
  return level === 3 ? html`<h3 id="${id}">${title}</h3>` : html`<h4 id="${id}">${title}</h4>`
}

const proseHtml = ({ markdown, style }: OfKind<'prose'>): Html =>
  style ? html`<div class="${style}">${raw(blockHtml(markdown))}</div>` : raw(blockHtml(markdown))

/** Returns whether a term in a list is provenance, which is hidden by default. */
const isProvenance = (term: string): boolean => /^Provenance\b/.test(term)

const factsHtml = ({ items, look }: OfKind<'facts'>): Html =>
  html`<dl class="facts${look ? ` ${look}` : ''}">${items.map(([term, text]) => html`<div${classOfFact(term, text)}><dt>${term}</dt><dd>${inline(text)}</dd></div>`)}</dl>`

const classOfFact = (term: string, text: string): Html | '' =>
  isProvenance(term) ? raw(' class="provenance"') : text === '0' ? raw(' class="zero"') : ''

function repeatedHtml(block: OfKind<'repeated'>): Html {
  const { names, from, to } = block
  const places = names.map(
    (name, index) =>
      html`${index > 0 ? ', ' : ''}<a id="${to}.${name}" href="#${from}.${name}"><code>${name}</code></a>`,
  )
  const [before, after] = repeatedText(block)
  return html`<p>${before} (${places})${after}</p>`
}

export const badgeHtml = ({ text, tone }: Badge): Html => html`<span class="badge ${tone}">${text}</span>`

const shortMethods: Readonly<Record<string, string>> = { delete: 'DEL' }

export const methodHtml = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method.toUpperCase()}</span>`

/** Renders a method name in a short form because the menu is narrow. */
export const shortMethodHtml = (method: string): Html =>
  html`<b class="${method.toLowerCase()}">${shortMethods[method.toLowerCase()] ?? method.toUpperCase()}</b>`

function endpointHtml({ method, prefix, path, mark }: OfKind<'endpoint'>): Html {
  return html`<p class="endpoint">${methodHtml(method)}<code class="path"><span class="prefix">${prefix}</span>${withParameters(path)}</code>${mark ? html` ${inline(mark)}` : ''}</p>`
}

const partsOf = (path: string): string[] => path.split('/').slice(1)

/** Allows line breaks in a path only after slashes. */
const breakable = (path: string): Html[] => partsOf(path).map((part) => html`/<wbr>${part}`)

const withParameters = (path: string): Html[] =>
  partsOf(path).map((part) => html`/<wbr>${part.startsWith('{') ? html`<var>${part}</var>` : part}`)

const languages: Readonly<Record<string, string>> = {
  shell: 'Shell',
  json: 'JSON',
  typescript: 'TypeScript',
  text: 'Text',
}

/**
 * Renders a code block with a caption. Every code block needs a caption because the caption contains the copy button.
 */
function codeHtml({ language, text, label = languages[language] ?? language }: OfKind<'code'>): Html {
  return html`<figure class="code"><figcaption>${inline(label)}</figcaption>${preHtml(text, language)}</figure>`
}

const preHtml = (text: string, language: string): Html =>
  html`<pre tabindex="0"><code>${highlight(text, language)}</code></pre>`

/**
 * Renders samples in tabs. The tabs are radio buttons, so they work with arrow keys and without JavaScript. Captions
 * appear only on printed pages.
 */
function samplesHtml({ id, label, items, tryIt }: OfKind<'samples'>): Html {
  const choice = ({ label: name, caption }: Sample, index: number) =>
    html`<input type="radio" name="${id}" id="${id}-${index}" value="${name}"${index === 0 ? raw(' checked') : ''}><label for="${id}-${index}"${caption === name ? '' : html` title="${caption}"`}>${name}</label>`
  const panel = ({ language, text, caption }: Sample) =>
    html`<div class="panel"><figure class="code"><figcaption>${inline(caption)}</figcaption>${preHtml(text, language)}</figure></div>`
  return html`<fieldset class="samples"><legend class="visually-hidden">${label}</legend>${items.map(choice)}${tryIt ? html`<a class="try-link" href="${tryIt}">Try it</a>` : ''}${items.map(panel)}</fieldset>`
}

/**
 * Renders a table. On narrow screens, each row becomes a block in which all cells except the first have a label from
 * `data-label`.
 */
function tableHtml({ head, rows, grid, numbered }: OfKind<'table'>): Html {
  const labels = head.map((name) => name.replace(/[`*]/g, ''))
  const stacked = !grid && head.length > 1
  const isNumber = head.map(
    (_, index) => rows.length > 1 && rows.every(({ cells }) => /^[\d,]*$/.test(cells[index] ?? '')),
  )
  const hidden = (index: number) =>
    isProvenance(labels[index] ?? '')
      ? raw(' class="provenance"')
      : isNumber[index] && index > 0
        ? raw(' class="number"')
        : ''
  const cellHtml = (cell: string, index: number) =>
    stacked && (index > 0 || numbered) && head.length > 2
      ? html`<td${hidden(index)} data-label="${labels[index] ?? ''}">${inline(cell)}</td>`
      : html`<td${hidden(index)}>${inline(cell)}</td>`
  const line = (id: string | undefined, cells: readonly string[]) =>
    html`<tr${id ? html` id="${id}"` : ''}>${cells.map(cellHtml)}</tr>`
  return html`<div class="scroll" tabindex="0"><table${stacked ? raw(' class="stacked"') : ''}><thead><tr>${head.map((name, index) => html`<th scope="col"${hidden(index)}>${inline(name)}</th>`)}</tr></thead><tbody>${rows.map(({ id, cells }) => line(id, cells))}</tbody></table></div>`
}

function operationHtml({ method, path, title, href, badges }: OperationItem): Html {
  return html`<li>${methodHtml(method)}<div><a href="${href}">${title}</a> ${badges.map(badgeHtml)}<code>${breakable(path)}</code></div></li>`
}

function cardsHtml({ items, plain }: OfKind<'cards'>): Html {
  const card = ({ title, href, text, note }: (typeof items)[number]) =>
    html`<li>${note ? html`<small>${note}</small>` : ''}<a href="${href}">${title}</a><p>${inline(text)}</p></li>`
  return html`<ul class="cards${plain ? ' plain' : ''}">${items.map(card)}</ul>`
}
