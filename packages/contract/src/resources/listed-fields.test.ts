import { expect, test } from 'vitest'
import { contextOver, target, trialIn } from '../../test/context-over.ts'
import { loadApi } from '../model/api.ts'
import type { Target } from '../target/target.ts'
import { listedFields, resourceWith } from './listed-fields.ts'

/** The listed fields for which the kit finds no resource to read, by the operation's version. */
const withoutResource = (given: Target): string[] => {
  const { context } = contextOver(() => 'nothing', { target: given })
  return loadApi().cells.flatMap((cell) => {
    const trial = trialIn(context, cell)
    return listedFields(cell).flatMap((name) => {
      try {
        resourceWith(trial, name)
        return []
      } catch (error) {
        return `${cell.key} ${name}: ${error instanceof Error ? error.message : ''}`
      }
    })
  })
}

test('the demo organization has a resource with each listed field', () => {
  expect(withoutResource({ ...target, control: 'http://127.0.0.1:2' })).toEqual([])
})

test('without the demo organization, the fields of a resource are unknown', () => {
  const missing = withoutResource(target)
  expect(missing.length).toBeGreaterThan(300)
  expect(missing.every((one) => one.endsWith('the kit does not know which fields have values'))).toBe(true)
})
