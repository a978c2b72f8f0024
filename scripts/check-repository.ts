// Finds common mistakes, such as code that only works on its author's machine.
import { readSource, report, repositoryFiles } from './sources.ts'

const rules: readonly { what: string; files: RegExp; found: RegExp }[] = [
  {
    what: 'contains download URLs of a registry',
    files: /^package-lock\.json$/,
    found: /"resolved": "https?:/,
  },
  {
    what: 'refers to a folder outside the repository',
    files: /./,
    found: /\.\.\/shared\/(source|design|research|hooks)/,
  },
  {
    what: 'contains an absolute path of one machine',
    files: /\.(ts|mjs|md|json|ya?ml|sh)$/,
    found: /(?<![\w.])\/(home|root|Users)\/\w/,
  },
  {
    /**
     * In a file URL, a space is %20, and there is a slash before a Windows drive letter. `fileURLToPath` converts the
     * URL to a correct path.
     */
    what: 'uses the URL of a file as its path',
    files: /\.(ts|mts|mjs|js)$/,
    found: /import\.meta\.url,?\s*\)\s*\.pathname/,
  },
  {
    /** An action's owner can move a tag to different code, which would run with permission to publish. */
    what: 'must pin third-party actions to a commit, with the tag as a comment',
    files: /^(\.github|examples)\/.*\.ya?ml$/,
    found: /^[\s-]*uses:\s+(?!\.\/)(?!\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/m,
  },
  {
    what: 'disables a check',
    files: /\.(ts|mjs)$/,
    found: /biome-ignore|@ts-ignore|@ts-nocheck|eslint-disable/,
  },
  {
    what: 'spreads an object literal, although its properties can stand without the spread',
    files: /\.(ts|mjs)$/,
    found: /\.\.\.\{\s*\w/,
  },
  {
    what: 'skips a test or runs only one',
    files: /\.test\.ts$/,
    found: /\b(it|test|describe)\.(skip|only|todo|fails)\b/,
  },
]

const generated = repositoryFiles(/(^|\/)(dist|coverage|\.turbo)\//).map(
  (path) => `${path}: is generated, but not ignored by git`,
)
const problems = repositoryFiles(/\.(ts|mts|mjs|js|css|html|md|json|ya?ml|sh)$|(^|\/)(run|Dockerfile)$/)
  .filter((path) => path !== 'scripts/check-repository.ts')
  .flatMap((path) =>
    rules
      .filter(({ files, found }) => files.test(path) && found.test(readSource(path)))
      .map(({ what }) => `${path}: ${what}`),
  )
report('the repository works on any machine', [...generated, ...problems])
