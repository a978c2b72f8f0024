import { defineConfig } from 'vitest/config'

// All checks in a run share resources, so they run sequentially in one file.
export default defineConfig({ test: { include: ['conformance.test.ts'], testTimeout: 30_000 } })
