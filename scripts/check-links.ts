// A link in a Markdown file rots when its target moves. Readers find out; this check finds out first.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { readSource, report, repositoryFiles, root } from './sources.ts'

const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '')

/** The anchor that a heading gets, as the usual renderers make it. */
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
    const [file = '', fragment] = link.split('#')
    const target = file === '' ? path : posix.join(posix.dirname(path), file)
    if (!existsSync(join(root, target))) return [`${path}: ${link} leads nowhere`]
    return fragment && target.endsWith('.md') && !anchors(target).has(fragment)
      ? [`${path}: ${target} has no heading #${fragment}`]
      : []
  })
}

// Guides of the documentation link to pages of the built site, which its own crawler checks.
report(
  'links in Markdown lead somewhere',
  repositoryFiles(/\.md$/)
    .filter((path) => !path.startsWith('packages/docs/guides/'))
    .flatMap(problemsOf),
)
