import { expect, test } from 'vitest'
import { readFacts } from './sources.ts'

const { generations, versions } = readFacts()

test.each(Object.keys(generations))(
  'the newest version of %s is current, and earlier ones are superseded',
  (id) => {
    const statuses = versions.filter(({ generation }) => generation === id).map(({ status }) => status)
    expect(statuses).toEqual([...statuses.slice(1).map(() => 'superseded'), 'current'])
  },
)
