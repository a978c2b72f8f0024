import { symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installToolbox } from '../../scripts/toolbox.ts'
import { changedBundle, copyProgram, type Generator, type Job, run } from './generator.ts'

const require = createRequire(import.meta.url)
// TypeScript 7 is five times as fast as earlier versions.
const compiler = join(require.resolve('typescript-7/package.json'), '../bin/tsc')
const runner = require.resolve('tsx/cli')

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
}

/** Compiles a generated TypeScript client with a program that calls it, and runs this program. */
export const typescript = (program: string): Pick<Generator, 'compile' | 'program'> => ({
  async compile(job) {
    copyProgram(job, program)
    copyProgram(job, 'steps.ts')
    writeFileSync(join(job.folder, 'package.json'), '{ "type": "module" }')
    const settings = { compilerOptions, include: ['client/**/*.ts', '*.ts'] }
    writeFileSync(join(job.folder, 'tsconfig.json'), JSON.stringify(settings))
    await run({ command: process.execPath, options: [compiler, '-p', '.'] }, job.folder)
  },
  program: () => ({ command: process.execPath, options: [runner, program] }),
})

const install = async ({ folder }: Job): Promise<void> => {
  const toolbox = await installToolbox(new URL('tools/', import.meta.url))
  symlinkSync(join(toolbox, 'node_modules'), join(folder, 'node_modules'))
}

const tool = (job: Job, name: string, ...options: string[]) =>
  run({ command: process.execPath, options: [join('node_modules/.bin', name), ...options] }, job.folder)

/** The condition that openapi-zod-client uses to recognize JSON. By default, it recognizes only `application/json`. */
const isJson = 'mediaType.endsWith("json")'

/**
 * openapi-zod-client doesn't support `const`, and throws if a discriminator depends on it (issue 326 in its
 * repository).
 */
const constAsEnum = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('const' in value)) return value
  const { const: only, ...rest } = value
  return { ...rest, enum: [only] }
}

export const npmGenerators: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    needs: [],
    install,
    async generate(job) {
      // With `auth: true`, the generator would print a warning that it doesn't support Digest.
      const plugins = ['@hey-api/typescript', '@hey-api/client-fetch', { name: '@hey-api/sdk', auth: false }]
      const settings = { input: job.bundle, output: 'client', plugins }
      writeFileSync(join(job.folder, 'hey-api.mjs'), `export default ${JSON.stringify(settings)}\n`)
      await tool(job, 'openapi-ts', '-f', 'hey-api.mjs')
    },
    ...typescript('hey-api.ts'),
  },
  {
    name: 'orval',
    needs: [],
    install,
    async generate(job) {
      // The generated client contains no server address, so the program adds one.
      const output = {
        target: 'client/client.ts',
        client: 'fetch',
        baseUrl: { getBaseUrlFromSpecification: false },
      }
      const settings = { svc: { input: { target: job.bundle }, output } }
      writeFileSync(join(job.folder, 'orval.cjs'), `module.exports = ${JSON.stringify(settings)}\n`)
      await tool(job, 'orval', '--config', 'orval.cjs')
    },
    ...typescript('orval.ts'),
  },
  {
    name: 'kubb',
    needs: [],
    install,
    async generate(job) {
      const text = `import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default defineConfig({
  input: { path: ${JSON.stringify(job.bundle)} },
  output: { path: 'client', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch' })],
})
`
      writeFileSync(join(job.folder, 'kubb.config.mjs'), text)
      await tool(job, 'kubb', 'generate', '--config', 'kubb.config.mjs')
    },
    ...typescript('kubb.ts'),
  },
  {
    name: 'swagger-typescript-api',
    needs: [],
    install,
    async generate(job) {
      const options = ['-p', job.bundle, '-o', 'client', '-n', 'client.ts']
      await tool(job, 'swagger-typescript-api', 'generate', ...options)
    },
    ...typescript('swagger-typescript-api.ts'),
  },
  {
    name: 'openapi-zod-client',
    needs: [],
    install,
    async generate(job) {
      const bundle = changedBundle(job, constAsEnum)
      const options = [bundle, '-o', 'client.ts', '--media-type-expr', isJson]
      await tool(job, 'openapi-zod-client', ...options)
    },
    ...typescript('openapi-zod-client.ts'),
  },
]
