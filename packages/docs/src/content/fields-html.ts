import { html } from 'hono/html'
import type { FieldRow } from './block.ts'
import { type Html, inline } from './html.ts'
import { code } from './inline.ts'
import { sharedProvenance } from './shared-provenance.ts'
import { strengthHtml } from './strength.ts'

/** Renders fields. If fields have the same provenance, the page shows it once above them. */
export function fieldsHtml(all: readonly FieldRow[]): Html {
  const { lines, rows } = sharedProvenance(all)
  const shared = lines.length > 0 ? html`<p class="provenance">${inline(lines.join(' '))}</p>` : ''
  return html`${shared}<div class="fields">${treeHtml(rows)}</div>`
}

/** Renders fields as a tree. Nested fields are collapsed under their parent field. */
function treeHtml(rows: readonly FieldRow[]): Html[] {
  const [{ depth: outer } = { depth: 0 }] = rows
  const found: Html[] = []
  for (let at = 0; at < rows.length; ) {
    const row = rows[at]
    if (!row) break
    const end = rows.findIndex(({ depth }, index) => index > at && depth <= outer)
    const nested = rows.slice(at + 1, end < 0 ? rows.length : end)
    found.push(fieldHtml(row, nested))
    at += nested.length + 1
  }
  return found
}

function fieldHtml(field: FieldRow, nested: readonly FieldRow[]): Html {
  const { anchor, name, type, required, notes, description, constraints, example } = field
  const elsewhere = field.valuesAt ? [`${field.valuesOpen ? 'known ' : ''}${field.valuesAt}`] : []
  const remarks = [...constraints, ...elsewhere, ...(example ? [`example ${code(example)}`] : [])]
  return html`<div class="field" id="${anchor}"><p><a href="#${anchor}">${name}</a> <span class="type">${inline(type)}</span>${required ? html` <span class="required">required${field.requiredMark ? html` ${inline(field.requiredMark)}` : ''}</span>` : ''}${notes.map((note) => html` <span class="note">${inline(note)}</span>`)}${strengthHtml(field.strength, field.source)}</p>${description ? html`<p>${inline(description)}</p>` : ''}${remarks.length > 0 ? html`<p class="constraints">${inline(remarks.join(' · '))}</p>` : ''}${valuesHtml(field)}${nestedHtml(nested)}</div>`
}

const shownNames = 4

function nestedHtml(nested: readonly FieldRow[]): Html | '' {
  const [first] = nested
  if (!first) return ''
  const names = nested.flatMap(({ name, depth }) => (depth === first.depth ? [name] : []))
  const more = names.length > shownNames ? ', …' : ''
  const count = `${names.length} field${names.length === 1 ? '' : 's'}`
  return html`<details class="nested"><summary>${count}: <span>${names.slice(0, shownNames).join(', ')}${more}</span></summary>${treeHtml(nested)}</details>`
}

const shownValues = 6

function valuesHtml({ values, valuesOpen }: FieldRow): Html | '' {
  if (values.length === 0) return ''
  const label = valuesOpen ? 'Known values (other values are possible)' : 'One of'
  const items = html`<ul class="values">${values.map((value) => html`<li><code>${value}</code></li>`)}</ul>`
  if (values.length <= shownValues) return html`<div class="enumeration"><span>${label}</span>${items}</div>`
  return html`<details class="enumeration"><summary>${label}: ${values.length}</summary>${items}</details>`
}
