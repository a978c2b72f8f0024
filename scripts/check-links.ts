// Finds broken links between Markdown files.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { readSource, report, repositoryFiles, root } from './sources.ts'

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '')

/** Returns the anchor that most Markdown renderers create for a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const anchors = (path: string) =>
  new Set([...readSource(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading ?? '')))

function problemsOf(path: string): string[] {
  const links = [...withoutCode(readSource(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '')
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return []
    // GitHub shows files at `/<owner>/<name>/blob/<branch>/`, so relative links to the releases work in every fork.
    if (/^releases(\/|$)/.test(posix.join('blob/main', posix.dirname(path), link))) return []
    const [file = '', fragment] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (!existsSync(join(root, target))) return [`${path}: broken link ${link}`]
    return fragment && target.endsWith('.md') && !anchors(target).has(fragment)
      ? [`${path}: ${target} has no heading #${fragment}`]
      : []
  })
}

// Guides aren't checked here, because they link to pages on the built site. A crawler checks these links.
report(
  'links in Markdown are valid',
  repositoryFiles(/\.md$/)
    .filter((path) => !path.startsWith('packages/docs/guides/'))
    .flatMap(problemsOf),
)
