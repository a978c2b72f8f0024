/**
 * Finds phrases that the writing guide doesn't allow, and sentences that are too long. Without this check, the prose
 * would gradually drift away from the guide. Guides, documents, comments, messages and test names are checked.
 */
import { TextlintKernel, type TextlintRuleModule } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import { proseOf } from './prose/extract.ts'
import { longestSentence, patterns } from './prose/patterns.ts'
import { readSource, report, repositoryFiles } from './sources.ts'

/** Files with test data, quotations from the specification source, or the patterns themselves. */
const excluded =
  /(^|\/)(fixtures|node_modules|dist)\/|^LICENSE|^scripts\/prose\/|^test\/prose\.test\.ts$|^spec\/ledger\/(sections|source)|package-lock/

const phrases: TextlintRuleModule = (context) => ({
  [context.Syntax.Str](node) {
    const text = context.getSource(node)
    for (const { found, instead } of patterns)
      for (const match of text.matchAll(found)) {
        const padding = context.locator.at(match.index)
        context.report(node, new context.RuleError(`"${match[0].trim()}": write ${instead}`, { padding }))
      }
  },
})

const length: TextlintRuleModule = (context) => ({
  [context.Syntax.Paragraph](node) {
    for (const sentence of context.getSource(node).split(/(?<=[.!?:;])\s+/)) {
      const words = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length
      if (words <= longestSentence) continue
      const padding = context.locator.at(context.getSource(node).indexOf(sentence))
      const shown = sentence.replace(/\s+/g, ' ').slice(0, 60)
      const message = `${words} words, but the maximum is ${longestSentence}: split "${shown}…"`
      context.report(node, new context.RuleError(message, { padding }))
    }
  },
})

const kernel = new TextlintKernel()

/** Findings that are ignored, each with a reason. */
const exceptions: readonly { readonly path: string; readonly text: string; readonly reason: string }[] = [
  { path: 'packages/server/test/postgres-cluster.ts', text: 'nobody', reason: 'name of a system user' },
  { path: 'packages/server/src/options.ts', text: 'Public base URL', reason: 'separate texts on one line' },
  { path: 'packages/server/src/sandbox/worlds.test.ts', text: "'id' must be", reason: 'a table of messages' },
  { path: 'spec/facts/error-codes.yaml', text: 'every all', reason: 'a table in a comment' },
]

const isException = (path: string, message: string): boolean =>
  exceptions.some((each) => each.path === path && message.includes(each.text))

/**
 * Returns the problems in a file's prose. Each problem contains the path, the line and the phrase, and what to write
 * instead.
 */
export async function proseProblems(path: string, text: string): Promise<string[]> {
  const { messages } = await kernel.lintText(proseOf(path, text), {
    ext: '.md',
    plugins: [{ pluginId: 'markdown', plugin: markdown.default }],
    rules: [
      { ruleId: 'phrases', rule: phrases },
      { ruleId: 'length', rule: length },
    ],
  })
  return messages
    .filter(({ message }) => !isException(path, message))
    .map(({ line, message }) => `${path}:${line}: ${message}`)
}

if (process.argv[1] === import.meta.filename) {
  const problems: string[] = []
  for (const path of repositoryFiles(/\.(md|ya?ml|ts|mts|mjs)$/))
    if (!excluded.test(path)) problems.push(...(await proseProblems(path, readSource(path))))
  report('the prose follows the writing guide', problems)
}
