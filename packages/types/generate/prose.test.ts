import { loadDocument } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { declarationsOf } from './declarations.ts'
import { putProse, takeProse } from './prose.ts'

test('declarations without prose and with it restored equal the original', async () => {
  const document = loadDocument('v1.0')
  const { document: bare, texts } = takeProse(document)
  const skeleton = await declarationsOf(JSON.stringify(bare))
  expect(skeleton).not.toContain(document.paths['/groups/{groupId}/alerts']?.get?.summary)
  expect(putProse(skeleton, texts)).toBe(await declarationsOf(JSON.stringify(document)))
})

test('editing prose changes only the prose', () => {
  const edited = (description: string) =>
    takeProse({ components: { schemas: { Alert: { description, properties: { description: {} } } } } })
  expect(edited('One.').document).toEqual(edited('Another.').document)
  expect(edited('Another.').texts).toEqual(['Another.'])
})

test('leaves examples, defaults, and prose that would break a comment', () => {
  const document = { description: 'a\nb', info: { summary: 'a */ b' }, default: { summary: 'x' } }
  expect(takeProse(document)).toEqual({ document, texts: [] })
})
