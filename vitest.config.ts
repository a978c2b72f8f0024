import { defineConfig } from 'vitest/config'

// Vite adds `import`, `require` and `default` as each import needs; named here, they reach Node as --conditions and
// make `require` of a CommonJS package find ES modules.
const conditions = ['@svc-admin/source', 'module', 'node']

const exclude = ['**/node_modules/**', '**/dist/**']

/** Tests of the server that no database takes part in, or that make their own. */
const withoutPostgres = [
  'src/domain/**',
  'src/*/nonce.test.ts',
  'src/http/{demo-credentials,negotiation,schemas,site,strict-json}.test.ts',
  'src/{layers,options}.test.ts',
  'src/operations/registry.test.ts',
  'src/persistence/{belongings,plans,sqlite}.test.ts',
  'test/{answer-check,file,owasp/{access,surroundings}}.test.ts',
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
