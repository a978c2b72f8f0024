import { defineConfig } from 'vitest/config'

const conditions = ['@svc-admin/source', 'module', 'node', 'import', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
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
