import { defineConfig } from 'vitest/config'

// Vite adds `import`, `require` and `default` as each import needs; named here, they reach Node as --conditions and
// make `require` of a CommonJS package find ES modules.
const conditions = ['@svc-admin/source', 'module', 'node']

const exclude = ['**/node_modules/**', '**/dist/**']

/** Tests of the server that no database takes part in, that stand above it for all operations, or make their own. */
const withoutPostgres = [
  'src/domain/**',
  'src/http/**',
  'src/*/nonce.test.ts',
  'src/{layers,options,options-*}.test.ts',
  'src/alerting/webhooks/{address,retry,send,signature}.test.ts',
  'src/operations/registry.test.ts',
  'src/persistence/{belongings,group-commit,plans,sqlite}.test.ts',
  'src/persistence/dialects/**',
  'src/sandbox/control-{document,page}.test.ts',
  'src/world/unread.test.ts',
  'test/{answer-check,deploy,file,kept-pages}.test.ts',
  'test/owasp/**',
  'soak/**',
]
/** Tests of what only several processes on one database can do. */
const onlyPostgres = ['test/postgres/**']

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
