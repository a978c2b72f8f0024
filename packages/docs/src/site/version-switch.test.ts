import { expect, test } from 'vitest'
import { model, textOf } from '../testing/inputs.ts'

/** Where the switch of a page leads, by version, from the root of the site; and which version it says one is at. */
function switchOf(path: string): { current: string | undefined; to: Record<string, string> } {
  const [, list = ''] =
    /<details class="versions[^>]*>([\s\S]*?)<\/details>/.exec(textOf(`${path}index.html`)) ?? []
  const links = [...list.matchAll(/<a href="([^"]+)"( aria-current="true")?>(?:<time>)?([^<\s]+)/g)]
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

test('links from an operation to the same operation in every version', () => {
  for (const version of model.versions)
    for (const id of model.operationIds.keys())
      expect(switchOf(`${version.id}/operations/${id}/`), `${id} in ${version.id}`).toEqual({
        current: version.id,
        to: Object.fromEntries(model.versions.map((each) => [each.id, `${each.id}/operations/${id}/`])),
      })
})

test('links from a schema to the same schema, or to the overview of versions without it', () => {
  for (const version of model.versions)
    for (const name of Object.keys(version.document.components.schemas))
      expect(switchOf(`${version.id}/schemas/${name}/`), `${name} in ${version.id}`).toEqual({
        current: version.id,
        to: Object.fromEntries(
          model.versions.map(({ id, document }) => [
            id,
            name in document.components.schemas ? `${id}/schemas/${name}/` : `${id}/`,
          ]),
        ),
      })
})

test('links from a version to the others', () => {
  for (const { id } of model.versions)
    expect(switchOf(`${id}/`)).toEqual({
      current: id,
      to: Object.fromEntries(model.versions.map((each) => [each.id, `${each.id}/`])),
    })
})
