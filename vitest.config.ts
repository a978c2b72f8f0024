import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Vite adds `import`, `require` and `default` as each import needs; named here, they reach Node as --conditions and
// make `require` of a CommonJS package find ES modules.
const conditions = ['@svc-admin/source', 'module', 'node']

const exclude = ['**/node_modules/**', '**/dist/**']

/** Tests of the server that no database takes part in, that stand above it for all operations, or make their own. */
const withoutPostgres = [
  'src/domain/**',
  'src/http/**',
  'src/*/nonce.test.ts',
  'src/{options,options-*,seed-main}.test.ts',
  'src/alerting/matcher-evaluator.test.ts',
  'src/alerting/webhooks/{address,retry,send,signature}.test.ts',
  'src/operations/registry.test.ts',
  'src/persistence/{world-tables,group-commit,plans,sqlite}.test.ts',
  'src/persistence/dialects/**',
  'src/sandbox/control-{document,page}.test.ts',
  'src/world/{cached-lookup,read-tracking}.test.ts',
  'test/{response-check,deploy,file,cached-pages,signals}.test.ts',
  'test/owasp/**',
  'soak/**',
]
/** Tests of what only several processes on one database can do. */
const onlyPostgres = ['test/postgres/**']

const root = import.meta.dirname
/** What takes longest. */
const longest = [
  'contract-server',
  'story/story',
  'scaffold-build',
  'docs-samples',
  'contract-safety',
  'implementer-tutorial',
  'publish',
  'contract-server-postgres',
  'contract-prism',
  'contract-examples',
].map((name) => join(root, 'test', `${name}.test.ts`))
for (const path of longest) if (!existsSync(path)) throw new Error(`There is no ${path} any more`)

/**
 * Begins each project with its longest files: one of them at the end leaves a processor idle. Vitest itself knows them
 * where they have run before, which in a fresh clone they have not.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.indexOf(moduleId)
      return place < 0 ? longest.length : place
    }
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((own) =>
      sorted.filter(({ project }) => project === own).sort((one, other) => placeOf(one) - placeOf(other)),
    )
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A loaded machine is no failure: nothing here measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Vitest leaves one processor to itself, which on two is half of the machine.
    maxWorkers: '100%',
    // A worker keeps its modules from file to file: to load them anew for each takes longer than the tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      ...['spec', 'packages/types', 'packages/client', 'packages/contract', 'packages/docs', 'test'].map(
        (root) => ({
          extends: true as const,
          test: { name: root.replace('packages/', ''), root, include: ['**/*.test.ts'], exclude },
        }),
      ),
      {
        extends: true as const,
        test: {
          name: 'server',
          root: 'packages/server',
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...onlyPostgres],
        },
      },
      {
        extends: true as const,
        test: {
          name: 'server-postgres',
          root: 'packages/server',
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...withoutPostgres],
          globalSetup: ['test/postgres-setup.ts'],
        },
      },
    ],
  },
})
