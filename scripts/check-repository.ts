// A stranger's clone has neither this machine's paths nor its caches. Each of these slipped into some repository
// unnoticed, because it works where it was written.
import { readSource, report, repositoryFiles } from './sources.ts'

const rules: readonly { what: string; files: RegExp; found: RegExp }[] = [
  {
    what: 'names an address that packages are downloaded from',
    files: /^package-lock\.json$/,
    found: /"resolved": "https?:/,
  },
  {
    what: 'refers to a folder beside the repository',
    files: /./,
    found: /\.\.\/shared\/(source|design|research|hooks)/,
  },
  {
    what: 'has a path of one machine',
    files: /\.(ts|mjs|md|json|ya?ml|sh)$/,
    found: /(?<![\w.])\/(home|root|Users)\/\w/,
  },
  {
    // An address has a space as %20, and a drive of Windows behind a slash: `fileURLToPath` makes a path of it.
    what: 'takes the address of a file for its path',
    files: /\.(ts|mts|mjs|js)$/,
    found: /import\.meta\.url,?\s*\)\s*\.pathname/,
  },
  {
    // Whoever has an action can move its tag to other code, which would run with what may publish.
    what: 'uses an action of others by something else than a commit, with its tag as a comment',
    files: /^(\.github|examples)\/.*\.ya?ml$/,
    found: /^[\s-]*uses:\s+(?!\.\/)(?!\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/m,
  },
  {
    what: 'switches a check off',
    files: /\.(ts|mjs)$/,
    found: /biome-ignore|@ts-ignore|@ts-nocheck|eslint-disable/,
  },
  {
    what: 'skips a test or runs one alone',
    files: /\.test\.ts$/,
    found: /\b(it|test|describe)\.(skip|only|todo|fails)\b/,
  },
]

const generated = repositoryFiles(/(^|\/)(dist|coverage|\.turbo)\//).map((path) => `${path}: is generated`)
const problems = repositoryFiles(/\.(ts|mts|mjs|js|css|html|md|json|ya?ml|sh)$|(^|\/)(run|Dockerfile)$/)
  .filter((path) => path !== 'scripts/check-repository.ts')
  .flatMap((path) =>
    rules
      .filter(({ files, found }) => files.test(path) && found.test(readSource(path)))
      .map(({ what }) => `${path}: ${what}`),
  )
report('the repository works anywhere', [...generated, ...problems])
