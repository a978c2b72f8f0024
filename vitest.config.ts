import { defineConfig } from 'vitest/config'

// Vite adds `import`, `require` and `default` as each import needs; named here, they reach Node as --conditions and
// make `require` of a CommonJS package find ES modules.
const conditions = ['@svc-admin/source', 'module', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A loaded machine is no failure: nothing here measures time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      'spec',
      'packages/types',
      'packages/client',
      'packages/server',
      'packages/contract',
      'packages/docs',
      'test',
    ].map((root) => ({
      extends: true as const,
      test: {
        name: root.replace('packages/', ''),
        root,
        include: ['**/*.test.ts'],
        exclude: ['**/node_modules/**', '**/dist/**'],
      },
    })),
  },
})
