import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedBundle, copyProgram, type Generator, type Job, run } from './generator.ts'

const bin = ({ cache }: Job, name: string): string => join(cache, 'go', name)

const install = (name: string, module: string) => async (job: Job) => {
  if (existsSync(bin(job, name))) return
  const env = { GOBIN: join(job.cache, 'go') }
  await run({ command: 'go', options: ['install', module], env }, job.cache)
}

const compile = (program: string) => async (job: Job) => {
  copyProgram(job, program, 'main.go')
  writeFileSync(join(job.folder, 'go.mod'), 'module example.test/client\n\ngo 1.24\n')
  await run({ command: 'go', options: ['mod', 'tidy'] }, job.folder)
  await run({ command: 'go', options: ['build', '-o', 'use', '.'] }, job.folder)
}

const program = ({ folder }: Job) => ({ command: join(folder, 'use'), options: [] })

/**
 * Removes media types that have no schema. Otherwise, ogen would expect a body in all of these responses, even with a
 * 204 status.
 */
const withoutEmptyContent = (name: string, value: unknown): unknown =>
  name === 'content' && JSON.stringify(Object.values(value ?? {})) === '[{}]' ? undefined : value

export const goGenerators: readonly Generator[] = [
  {
    name: 'oapi-codegen',
    needs: ['go'],
    install: install('oapi-codegen', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'),
    async generate(job) {
      mkdirSync(join(job.folder, 'client'))
      const options = [
        '-generate',
        'types,client',
        '-package',
        'client',
        '-o',
        'client/client.go',
        job.bundle,
      ]
      await run({ command: bin(job, 'oapi-codegen'), options }, job.folder)
    },
    compile: compile('oapi-codegen.go'),
    program,
  },
  {
    name: 'ogen',
    needs: ['go'],
    install: install('ogen', 'github.com/ogen-go/ogen/cmd/ogen@v1.24.0'),
    async generate(job) {
      // ogen doesn't support Digest authentication, and rejects the whole document without this setting.
      const settings = 'generator: { ignore_not_implemented: [ all ] }\n'
      writeFileSync(join(job.folder, 'ogen.yml'), settings)
      const bundle = changedBundle(job, withoutEmptyContent)
      const options = ['--config', 'ogen.yml', '--target', 'client', '--package', 'client', bundle]
      await run({ command: bin(job, 'ogen'), options }, job.folder)
    },
    compile: compile('ogen.go'),
    program,
  },
]
