// `npm run test:fast` and `npm run test:watch`: the tests that need no browser, no PostgreSQL and no build or process of
// their own. `npm test` runs all of them.
import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Tests that build packages, start processes, or send thousands of requests. */
const slow = [
  'test/**',
  'soak/**',
  'portable/**',
  'diff/{commit,gate}.test.ts',
  'src/{seed-main,build}.test.ts',
  'src/**/*-postgres.test.ts',
]

const projects = (config.test?.projects ?? []).flatMap((project) => {
  const own = typeof project === 'object' && 'test' in project ? project : undefined
  const name = own?.test?.name
  if (!own || name === 'test' || name === 'server-postgres') return []
  const browser = name === 'docs' ? ['browser/**'] : []
  const exclude = [...(own.test?.exclude ?? []), ...slow, ...browser]
  return [{ ...own, test: { ...own.test, exclude } }]
})

export default mergeConfig(
  { ...config, test: { ...config.test, projects: [] } },
  defineConfig({ test: { projects } }),
)
