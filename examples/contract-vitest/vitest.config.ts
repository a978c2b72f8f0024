import { defineConfig } from 'vitest/config'

// Checks of a run share the resources they create, so they run sequentially in one file.
export default defineConfig({ test: { include: ['conformance.test.ts'], testTimeout: 30_000 } })
