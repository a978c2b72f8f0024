// `npm run test:fast` and `npm run test:watch` run the tests that don't need a browser, PostgreSQL, or a separate build
// or process. `npm test` runs all tests.
import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** Tests that build packages, start processes, wait for timeouts, or send thousands of requests. */
const slow = [
  'test/**',
  'soak/**',
  'portable/**',
  'src/command/**',
  'src/mcp/**',
  '{diff,lint}/{baseline,command,commit,gate,main}.test.ts',
  '{rules/rules,build/bundle,build/yaml}.test.ts',
  'lint/{defects,standard-linters,valid-features}.test.ts',
  'src/site/search-{index,questions}.test.ts',
  'src/{build,kit,kit-ends,package,seed-main,site,start-server}.test.ts',
  'src/http/{roles,slow-clients}.test.ts',
  'src/sandbox/{clock-change,control,disturbances,worlds}.test.ts',
  'src/persistence/dialects/sqlite-anchors.test.ts',
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
  // Cache transformed modules, because developers run these tests often.
  defineConfig({ test: { projects, experimental: { fsModuleCache: true } } }),
)
