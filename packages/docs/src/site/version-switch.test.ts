import { expect, test } from 'vitest'
import type { Span } from '../model/same.ts'
import { hasOwnPage, hasPage } from '../model/schema-home.ts'
import { model, textOf } from '../testing/inputs.ts'

/**
 * Returns a page's version switch: the address for each version, relative to the site's root, and the version
 * that is shown as current.
 */
function switchOf(path: string): { current: string | undefined; to: Record<string, string> } {
  const [, list = ''] =
    /<details class="versions[^>]*>([\s\S]*?)<\/details>/.exec(textOf(`${path}index.html`)) ?? []
  const links = [
    ...list.matchAll(/<a href="([^"]+)"(?: data-[^>]*)?( aria-current="true")?>(?:<time>)?([^<\s]+)/g),
  ]
  return {
    current: links.find(([, , here]) => here)?.[3],
    to: Object.fromEntries(
      links.map(([, href = '', , version = '']) => [
        version,
        new URL(href, `https://site.invalid/${path}`).pathname.slice(1),
      ]),
    ),
  }
}

/** Returns the page that covers a subject in a version, relative to the site's root. */
const pageIn = (span: Span<{ readonly id: string }>, part: string) => `${span.at(-1)?.id}/${part}`

test('links from an operation to the same operation in every version', () => {
  for (const version of model.versions)
    for (const { id } of version.operations) {
      if (model.spans.operation(version, id).at(-1) !== version) continue
      expect(switchOf(`${version.id}/operations/${id}/`), `${id} in ${version.id}`).toEqual({
        current: version.id,
        to: Object.fromEntries(
          model.versions.map((each) => [
            each.id,
            each.byId.has(id) ? pageIn(model.spans.operation(each, id), `operations/${id}/`) : `${each.id}/`,
          ]),
        ),
      })
    }
})

test('links from a schema to the same schema, or to the overview of versions without it', () => {
  for (const version of model.versions)
    for (const name of Object.keys(version.document.components.schemas)) {
      if (!hasPage(version, name) || model.spans.schema(version, name).at(-1) !== version) continue
      const { current, to } = switchOf(`${version.id}/schemas/${name}/`)
      expect(current).toBe(version.id)
      for (const each of model.versions) {
        const other = each.document.components.schemas[name]
        // Types that don't have their own page are on the types page.
        const wanted = !other
          ? `${each.id}/`
          : hasOwnPage(other)
            ? pageIn(model.spans.schema(each, name), `schemas/${name}/`)
            : pageIn(model.spans.schema(each, name), 'types/')
        expect(to[each.id], `${name} from ${version.id}`).toBe(wanted)
      }
    }
})

test('links from a version to the others', () => {
  for (const { id } of model.versions)
    expect(switchOf(`${id}/`)).toEqual({
      current: id,
      to: Object.fromEntries(model.versions.map((each) => [each.id, `${each.id}/`])),
    })
})
