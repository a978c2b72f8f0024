import { html, raw } from 'hono/html'
import type { Badge, Block, FieldRow, OperationItem, Sample } from './block.ts'
import { highlight } from './highlight.ts'
import { blockHtml, code, inlineHtml } from './inline.ts'
import { strengthHtml } from './strength.ts'

/** Escaped markup. */
export type Html = ReturnType<typeof html>

type OfKind<K extends Block['kind']> = Extract<Block, { kind: K }>

const inline = (text: string): Html => raw(inlineHtml(text))

export const blocksHtml = (blocks: readonly Block[]): Html[] => blocks.map(blockToHtml)

function blockToHtml(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return headingHtml(block)
    case 'prose':
      return raw(blockHtml(block.markdown))
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
      return html`<dl class="facts">${block.items.map(([term, text]) => html`<div><dt>${term}</dt><dd>${inline(text)}</dd></div>`)}</dl>`
    case 'fields':
      return html`<div class="fields">${block.rows.map(fieldHtml)}</div>`
    case 'callout':
      return html`<div class="callout ${block.tone}" role="note"><strong>${block.title}</strong> ${inline(block.markdown)}</div>`
    case 'badges':
      return html`<p class="badges">${block.items.map(badgeHtml)}</p>`
    case 'endpoint':
      return endpointHtml(block)
    case 'figure':
      return html`<figure class="diagram"><div class="scroll" tabindex="0">${raw(block.svg)}</div><figcaption>${inline(block.caption)}</figcaption></figure>`
    case 'widget':
      return raw(block.html)
  }
}

function headingHtml({ level, text, id }: OfKind<'heading'>): Html {
  const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to “${text}”">#</a>`
  const title = inline(text)
  if (level === 2) return html`<h2 id="${id}">${title}${anchor}</h2>`
  return level === 3
    ? html`<h3 id="${id}">${title}${anchor}</h3>`
    : html`<h4 id="${id}">${title}${anchor}</h4>`
}

export const badgeHtml = ({ text, tone }: Badge): Html => html`<span class="badge ${tone}">${text}</span>`

export const methodHtml = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method.toUpperCase()}</span>`

function endpointHtml({ method, prefix, path, mark, tryIt }: OfKind<'endpoint'>): Html {
  return html`<p class="endpoint">${methodHtml(method)}<code class="path"><span class="prefix">${prefix}</span>${breakable(path)}</code>${mark ? html` ${inline(mark)}` : ''}${tryIt ? html`<a class="try-link" href="${tryIt}">Try it</a>` : ''}</p>`
}

/** A path may break after a slash, and nowhere else. */
function breakable(path: string): Html[] {
  const parts = path.split('/').slice(1)
  return parts.map((part) => html`/<wbr>${part.startsWith('{') ? html`<var>${part}</var>` : part}`)
}

const languages: Readonly<Record<string, string>> = {
  shell: 'Shell',
  json: 'JSON',
  typescript: 'TypeScript',
  text: 'Text',
}

/** Every block has a caption, which also holds the copy button. */
function codeHtml({ language, text, label = languages[language] ?? language }: OfKind<'code'>): Html {
  return html`<figure class="code"><figcaption>${inline(label)}</figcaption><pre tabindex="0"><code>${highlight(text, language)}</code></pre></figure>`
}

/** Tabs are radio buttons, which work with arrow keys and without JavaScript. */
function samplesHtml({ id, label, items }: OfKind<'samples'>): Html {
  const choice = ({ label: name }: Sample, index: number) =>
    html`<input type="radio" name="${id}" id="${id}-${index}" value="${name}"${index === 0 ? raw(' checked') : ''}><label for="${id}-${index}">${name}</label>`
  return html`<fieldset class="samples"><legend class="visually-hidden">${label}</legend>${items.map(choice)}${items.map(({ language, text, caption }) => html`<div class="panel">${codeHtml({ kind: 'code', language, text, label: caption })}</div>`)}</fieldset>`
}

/** On narrow screens, each row becomes a block. Its cells are labeled by `data-label`, except for the first one. */
function tableHtml({ head, rows, grid, numbered }: OfKind<'table'>): Html {
  const labels = head.map((name) => name.replace(/[`*]/g, ''))
  const stacked = !grid && head.length > 1
  const cellHtml = (cell: string, index: number) =>
    stacked && (index > 0 || numbered) && head.length > 2
      ? html`<td data-label="${labels[index] ?? ''}">${inline(cell)}</td>`
      : html`<td>${inline(cell)}</td>`
  const line = (id: string | undefined, cells: readonly string[]) =>
    html`<tr${id ? html` id="${id}"` : ''}>${cells.map(cellHtml)}</tr>`
  return html`<div class="scroll" tabindex="0"><table${stacked ? raw(' class="stacked"') : ''}><thead><tr>${head.map((name) => html`<th scope="col">${inline(name)}</th>`)}</tr></thead><tbody>${rows.map(({ id, cells }) => line(id, cells))}</tbody></table></div>`
}

function operationHtml({ method, path, title, href, badges }: OperationItem): Html {
  return html`<li>${methodHtml(method)}<div><a href="${href}">${title}</a> ${badges.map(badgeHtml)}<code>${breakable(path)}</code></div></li>`
}

function cardsHtml({ items }: OfKind<'cards'>): Html {
  return html`<ul class="cards">${items.map(({ title, href, text }) => html`<li><a href="${href}">${title}</a><p>${inline(text)}</p></li>`)}</ul>`
}

const shownValues = 14

function fieldHtml(field: FieldRow): Html {
  const { anchor, name, depth, type, required, notes, description, constraints, example } = field
  return html`<div class="field depth-${depth}" id="${anchor}"><p class="field-head"><a class="field-name" href="#${anchor}">${name}</a> <span class="type">${inline(type)}</span>${required ? html` <span class="required">required${field.requiredMark ? html` ${inline(field.requiredMark)}` : ''}</span>` : ''}${notes.map((note) => html` <span class="note">${note}</span>`)}${strengthHtml(field.strength, field.source)}</p>${description ? html`<p>${inline(description)}</p>` : ''}${constraints.length > 0 ? html`<p class="constraints">${inline(constraints.join(' · '))}</p>` : ''}${valuesHtml(field)}${example ? html`<p class="constraints">Example ${inline(code(example))}</p>` : ''}</div>`
}

function valuesHtml({ values, valuesOpen }: FieldRow): Html | '' {
  if (values.length === 0) return ''
  const label = valuesOpen ? 'Known values (others are possible)' : 'One of'
  const items = html`<ul class="values">${values.map((value) => html`<li><code>${value}</code></li>`)}</ul>`
  if (values.length <= shownValues) return html`<div class="enumeration"><span>${label}</span>${items}</div>`
  return html`<details class="enumeration"><summary>${label}: ${values.length}</summary>${items}</details>`
}
