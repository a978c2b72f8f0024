import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, copyProgram, type Generator, type Job, run } from './generator.ts'

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url))
const bin = ({ cache }: Job): string => join(cache, 'python/bin')

/** Creates a virtual environment with the Python generators and all packages that their clients need. */
export async function pythonIn(job: Job): Promise<void> {
  if (existsSync(join(bin(job), 'openapi-python-client'))) return
  await run({ command: 'python3', options: ['-m', 'venv', 'python'] }, job.cache)
  const options = ['-m', 'pip', 'install', '-q', '-r', requirements]
  await run({ command: join(bin(job), 'python'), options }, job.cache)
}

/** Installs the client as a package. This also checks the client's version, because pip rejects invalid versions. */
export async function installClient(job: Job): Promise<void> {
  const options = ['-m', 'pip', 'install', '-q', '--no-deps', '--target', 'site', './client']
  await run({ command: join(bin(job), 'python'), options }, job.folder)
}

export function pythonCommand(job: Job, ...options: string[]): Command {
  return { command: join(bin(job), 'python'), options, env: { PYTHONPATH: `site:.` } }
}

export const pythonGenerators: readonly Generator[] = [
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    install: pythonIn,
    async generate({ bundle, folder, cache }) {
      const options = ['generate', '--path', bundle, '--output-path', 'client', '--fail-on-warning']
      const bin = join(cache, 'python/bin')
      const env = { PATH: `${bin}:${process.env.PATH}` }
      await run({ command: join(bin, 'openapi-python-client'), options, env }, folder)
    },
    async compile(job) {
      await installClient(job)
      await run(pythonCommand(job, '-m', 'compileall', '-q', 'site'), job.folder)
    },
    program(job) {
      copyProgram(job, 'openapi-python-client.py')
      copyProgram(job, 'steps.py')
      return pythonCommand(job, 'openapi-python-client.py')
    },
  },
  {
    name: 'datamodel-code-generator',
    needs: ['python3'],
    install: pythonIn,
    async generate({ bundle, folder, cache }) {
      const kind = ['--input-file-type', 'openapi', '--output-model-type', 'pydantic_v2.BaseModel']
      const options = ['--input', bundle, '--output', 'models.py', ...kind, '--formatters', 'builtin']
      await run({ command: join(cache, 'python/bin/datamodel-codegen'), options }, folder)
    },
    compile: async (job) => void (await run(pythonCommand(job, '-c', 'import models'), job.folder)),
    program(job) {
      copyProgram(job, 'datamodel-code-generator.py')
      copyProgram(job, 'steps.py')
      return pythonCommand(job, 'datamodel-code-generator.py')
    },
  },
]
