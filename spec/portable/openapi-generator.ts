import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProgram, type Generator, type Job, run } from './generator.ts'
import { typescript } from './npm.ts'
import { installClient, pythonCommand, pythonIn } from './python.ts'

const version = '7.17.0'
const jarOf = ({ cache }: Job): string => join(cache, `openapi-generator-cli-${version}.jar`)

async function install(job: Job): Promise<void> {
  if (existsSync(jarOf(job))) return
  const artifact = `org.openapitools:openapi-generator-cli:${version}`
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy'
  const options = ['-q', goal, `-Dartifact=${artifact}`, `-DoutputDirectory=${job.cache}`]
  await run({ command: 'mvn', options }, job.cache)
}

const generate =
  (name: string, ...options: string[]) =>
  async (job: Job): Promise<void> => {
    const all = ['-jar', jarOf(job), 'generate', '-g', name, '-i', job.bundle, '-o', 'client', ...options]
    await run({ command: 'java', options: all }, job.folder)
  }

/** Generates clients in several languages with openapi-generator, which requires Java. */
export const openapiGenerators: readonly Generator[] = [
  {
    name: 'openapi-generator python',
    needs: ['java', 'mvn', 'python3'],
    install,
    generate: generate('python'),
    async compile(job) {
      await pythonIn(job)
      // Install the client to check its version, because pip rejects invalid versions.
      // Import the client to check that all models load.
      await installClient(job)
      await run(pythonCommand(job, '-c', 'import openapi_client'), job.folder)
    },
    program(job) {
      copyProgram(job, 'openapi-generator.py')
      copyProgram(job, 'steps.py')
      return pythonCommand(job, 'openapi-generator.py')
    },
  },
  {
    name: 'openapi-generator java',
    needs: ['java', 'mvn'],
    install,
    generate: generate('java'),
    async compile(job) {
      copyProgram(job, 'openapi-generator.java', 'client/src/main/java/Main.java')
      const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath'
      const options = ['-q', '-DskipTests', 'compile', goal, '-Dmdep.outputFile=classpath.txt']
      await run({ command: 'mvn', options }, join(job.folder, 'client'))
    },
    program({ folder }) {
      const classpath = readFileSync(join(folder, 'client/classpath.txt'), 'utf8').trim()
      return { command: 'java', options: ['-cp', `client/target/classes:${classpath}`, 'Main'] }
    },
  },
  {
    name: 'openapi-generator go',
    needs: ['java', 'mvn', 'go'],
    install,
    generate: generate('go'),
    async compile(job) {
      copyProgram(job, 'openapi-generator.go', 'client/use/main.go')
      const client = join(job.folder, 'client')
      await run({ command: 'go', options: ['mod', 'tidy'] }, client)
      await run({ command: 'go', options: ['build', '-o', '../use', './use'] }, client)
    },
    program: ({ folder }) => ({ command: join(folder, 'use'), options: [] }),
  },
  {
    name: 'openapi-generator rust',
    needs: ['java', 'mvn', 'cargo'],
    install,
    generate: generate('rust'),
    async compile(job) {
      copyProgram(job, 'openapi-generator.rs', 'client/src/bin/use.rs')
      const manifest = join(job.folder, 'client/Cargo.toml')
      const tokio = 'tokio = { version = "1", features = ["macros", "rt-multi-thread"] }'
      const text = readFileSync(manifest, 'utf8').replace('[dependencies]\n', `[dependencies]\n${tokio}\n`)
      writeFileSync(manifest, text)
      const env = { CARGO_TARGET_DIR: join(job.cache, 'cargo') }
      await run({ command: 'cargo', options: ['build', '-q'], env }, join(job.folder, 'client'))
      renameSync(join(job.cache, 'cargo/debug/use'), join(job.folder, 'use'))
    },
    program: ({ folder }) => ({ command: join(folder, 'use'), options: [] }),
  },
  {
    name: 'openapi-generator ts-fetch',
    needs: ['java', 'mvn'],
    install,
    generate: generate('typescript-fetch'),
    ...typescript('typescript-fetch.ts'),
  },
]
