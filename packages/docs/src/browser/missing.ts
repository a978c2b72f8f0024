import { rootOf } from './elements.ts'

// Some hosts don't support `_redirects`.
// On these hosts, the old address of a moved page shows the 404 page, where this script redirects to the new address.
const root = rootOf(document.currentScript)

async function follow(): Promise<void> {
  const response = await fetch(`${root}_redirects`)
  if (!response.ok) return
  const path = `/${location.href.split(/[?#]/)[0]?.slice(root.length) ?? ''}`.replace(/(index\.html)?$/, '')
  const wanted = path.endsWith('/') ? path : `${path}/`
  const lines = (await response.text()).split('\n').map((line) => line.split(' '))
  const [, target] = lines.find(([from]) => from === wanted) ?? []
  if (!target) return
  const hash = target.includes('#') ? '' : location.hash
  location.replace(root + target.slice(1) + hash)
}

void follow().catch(() => undefined)
