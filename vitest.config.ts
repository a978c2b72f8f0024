import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Don't list `import`, `require` or `default`, because Vite adds them for each import.
// Listing these conditions also passes them to Node as --conditions, so `require` would resolve to ES modules.
const conditions = ['@svc-admin/source', 'module', 'node']

const exclude = ['**/node_modules/**', '**/dist/**']

/**
 * Server tests that don't run again on PostgreSQL: they use no database, don't depend on the kind of database, or
 * create their own. Tests in `persistence` cover the SQL on both databases, and the kit runs every operation on
 * PostgreSQL (test/contract-server-postgres.test.ts).
 */
const withoutPostgres = [
  'src/auth/**',
  'src/domain/**',
  'src/http/**',
  'src/{options,options-*,seed-main,start-server}.test.ts',
  'src/alerting/matcher-evaluator.test.ts',
  'src/alerting/webhooks/{address,delivery-loop,delivery-monitor,retry,send,signature}.test.ts',
  'src/operations/*/**',
  'src/operations/registry.test.ts',
  'src/persistence/{world-tables,group-commit,plans,sqlite,cached-lookup}.test.ts',
  'src/persistence/dialects/**',
  'src/sandbox/{clock-change,control,control-document,control-page,control-state,disturbances}.test.ts',
  'src/sandbox/{failing-disk,fractions,reads,request-log,seed,seed-backups}.test.ts',
  'src/world/read-tracking.test.ts',
  'test/{backup,cached-pages,deploy,error-examples,examples,file,output}.test.ts',
  'test/{response-check,response-fields,signals}.test.ts',
  'test/owasp/**',
  'soak/**',
]
/** Tests that need several processes on one database. */
const onlyPostgres = ['test/postgres/**']

const root = import.meta.dirname
/** If a build doesn't match its sources, fails with an error that contains the command to run. */
const builds = join(root, 'scripts/built-setup.ts')
/** The slowest test files of each project, slowest first. */
const slowest = [
  'packages/client/test/consumers',
  'packages/contract/src/kit',
  'packages/docs/browser/quality',
  'packages/docs/browser/use',
  'packages/docs/browser/layout',
  'packages/server/test/postgres/processes',
  'packages/server/test/generated',
  'packages/server/test/file',
  'spec/lint/command',
  'spec/portable/generators',
  'spec/portable/mock',
  'test/story/story',
  'test/contract-server',
  'test/implementer-tutorial',
  'test/contract-safety',
  'test/contract-server-postgres',
  'test/contract-benign',
  'test/server-runtimes',
  'test/publish',
  'test/contract-messages',
  'test/docs-samples',
  'test/contract-mutants',
  'test/contract-examples',
  'test/contract-prism',
  'test/workflows',
  'test/arazzo',
].map((name) => join(root, `${name}.test.ts`))
for (const path of slowest)
  if (!existsSync(path)) throw new Error(`${path} doesn't exist. Update the list of slow tests.`)

/**
 * Starts each project with its slowest files, because a slow file at the end leaves a processor idle. Vitest's own
 * order relies on earlier runs, which a fresh clone doesn't have.
 */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = slowest.indexOf(moduleId)
      return place < 0 ? slowest.length : place
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
    // Tests must not time out on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // By default, Vitest reserves one processor, which is half of a two-processor machine.
    maxWorkers: '100%',
    // Workers share loaded modules across files. Reloading them for each file would take longer than running the tests.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    projects: [
      // Tests of the specification don't need a build, because they read its source files.
      { extends: true as const, test: { name: 'spec', root: 'spec', include: ['**/*.test.ts'], exclude } },
      ...['packages/types', 'packages/client', 'packages/contract', 'packages/docs', 'test'].map((root) => ({
        extends: true as const,
        test: {
          name: root.replace('packages/', ''),
          root,
          include: ['**/*.test.ts'],
          exclude,
          globalSetup: [builds],
        },
      })),
      {
        extends: true as const,
        test: {
          name: 'server',
          root: 'packages/server',
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...onlyPostgres],
          globalSetup: [builds],
        },
      },
      {
        extends: true as const,
        test: {
          name: 'server-postgres',
          root: 'packages/server',
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...withoutPostgres],
          globalSetup: [builds, 'test/postgres-setup.ts'],
        },
      },
    ],
  },
})
