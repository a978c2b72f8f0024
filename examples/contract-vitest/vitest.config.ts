import { defineConfig } from 'vitest/config'

// Checks of one run share what they make, so they are in one file and run one after the other.
export default defineConfig({ test: { include: ['conformance.test.ts'], testTimeout: 30_000 } })
